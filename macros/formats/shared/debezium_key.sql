{# Prints the message's key without the fields that Debezium's topic routing adds to it. #}
{% macro debezium_key() -%}
    map_filter({{ kafka_cdc.message_key() }}, (name, text) -> name not in ('__dbz__physicalTableIdentifier', '__dbz__sourceIdentifier'))
{%- endmacro %}
