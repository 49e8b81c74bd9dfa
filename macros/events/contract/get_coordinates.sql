{# Returns the columns that say where an event came from: its message in Kafka, and its row inside the message. #}
{% macro get_coordinates() %}
    {{ return(kafka_cdc.get_message_coordinates() + ['row_index']) }}
{% endmacro %}
