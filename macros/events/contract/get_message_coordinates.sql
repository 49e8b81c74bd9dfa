{#
  Returns the columns that identify a message in Kafka.

  Returns: a list of column names.
#}
{% macro get_message_coordinates() %}
    {{ return(['kafka_topic', 'topic_incarnation', 'kafka_partition', 'kafka_offset']) }}
{% endmacro %}
