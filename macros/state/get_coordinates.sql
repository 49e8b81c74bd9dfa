{# Returns the columns that say where an event came from: its message in Kafka, and its row inside the message. #}
{% macro get_coordinates() %}
    {{ return(['kafka_topic', 'topic_incarnation', 'kafka_partition', 'kafka_offset', 'row_index']) }}
{% endmacro %}
