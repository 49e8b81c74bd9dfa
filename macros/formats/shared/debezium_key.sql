{#
  Prints an expression: the Kafka key of a Debezium message as a map of its key columns.

  Debezium's topic routing adds fields to the key that are no columns. They are removed.

  Requires: column `kafka_key`.
#}
{% macro debezium_key() -%}
    map_filter(
        {{ kafka_cdc.message_key() | indent(8) }},
        (name, text) -> name not in ('__dbz__physicalTableIdentifier', '__dbz__sourceIdentifier')
    )
{%- endmacro %}
