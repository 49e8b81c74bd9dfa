{# Returns the columns by which event_batch_stats sums up events: landing batch, Kafka partition, format and source table. #}
{% macro get_stream_columns() %}
    {{ return(['landing_batch', 'kafka_topic', 'topic_incarnation', 'kafka_partition', 'source_format'] + kafka_cdc.get_table_columns()) }}
{% endmacro %}
