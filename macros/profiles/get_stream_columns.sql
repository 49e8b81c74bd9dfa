{# Returns the columns by which stream_profiles sums up events: landing batch, Kafka partition, format and source table. #}
{% macro get_stream_columns() %}
    {{ return(['landing_batch', 'kafka_topic', 'topic_incarnation', 'kafka_partition', 'source_format'] + get_table_columns()) }}
{% endmacro %}
