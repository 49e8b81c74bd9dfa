{#
  Prints a condition: a Kafka partition is the one of a sequence reset.

  Arguments:
    line (dict[string, any]): a line of the setting `sequence_resets`.

  Requires: the columns `kafka_topic`, `kafka_partition`.
#}
{% macro sequence_reset_partition_condition(line) -%}
    kafka_topic = {{ kafka_cdc.sql_literal(line.topic) }} and kafka_partition = {{ line.partition }}
{%- endmacro %}
