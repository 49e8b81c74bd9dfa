{#
  Prints a condition: a Kafka partition is the one of a line of the setting `sequence_resets`.

  Arguments:
    line (dict[string, any]): the line.

  Requires: the columns `kafka_topic`, `kafka_partition`.
#}
{% macro same_partition_condition(line) -%}
    kafka_topic = {{ kafka_cdc.sql_literal(line.topic) }} and kafka_partition = {{ line.partition }}
{%- endmacro %}
