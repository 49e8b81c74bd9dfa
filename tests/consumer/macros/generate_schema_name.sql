{# Prints a schema's name as this project likes it: its own, and the target's only where a model has none. #}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ target.schema if custom_schema_name is none else 'shop_' ~ custom_schema_name }}
{%- endmacro %}
