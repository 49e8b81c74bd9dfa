{#
  Returns the columns by which event_batch_stats groups events, list[string].

  They are the landing batch, the Kafka partition, the message format and the source table.
#}
{% macro get_stream_columns() %}
    {{ return(
        ['landing_batch', 'kafka_topic', 'topic_incarnation', 'kafka_partition', 'source_format']
        + kafka_cdc.get_table_columns()
    ) }}
{% endmacro %}
