{# Returns the columns that say which message in Kafka an event came from. #}
{% macro get_message_coordinates() %}
    {{ return(['kafka_topic', 'topic_incarnation', 'kafka_partition', 'kafka_offset']) }}
{% endmacro %}
