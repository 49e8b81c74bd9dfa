{#
  Returns the columns that identify an event: its message in Kafka, and its row in the message.

  Returns: a list of column names.
#}
{% macro get_coordinates() %}
    {{ return(kafka_cdc.get_message_coordinates() + ['row_index']) }}
{% endmacro %}
