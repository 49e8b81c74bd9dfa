{#
  Prints a condition: a position in a Kafka partition is at or after a sequence reset.

  If the topic is recreated, its new incarnation continues the generation that the old one reached.

  Arguments:
    line (dict[string, any]): a line of the setting `sequence_resets`.
    incarnation (string): SQL of the topic incarnation of the position.
    offset (string): SQL of the offset of the position.

  Requires: the columns `kafka_topic`, `kafka_partition`.
#}
{% macro sequence_reset_condition(line, incarnation='topic_incarnation', offset='kafka_offset') -%}
    {%- set first = line.get('topic_incarnation', 0) -%}
    {{ kafka_cdc.same_partition_condition(line) }} and (
        {{ incarnation }} > {{ first }} or {{ incarnation }} = {{ first }} and {{ offset }} >= {{ line.offset }}
    )
{%- endmacro %}
