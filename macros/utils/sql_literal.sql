{# Prints a Spark SQL literal: a text in quotes, a list of texts as an array, none as null. (Spark would put a variable's value for ${name}.) #}
{% macro sql_literal(value) -%}
    {%- if value is none -%} null
    {%- elif value is string -%} '{{ value | replace('\\', '\\\\') | replace("'", "\\'") | replace('${', '$\\{') }}'
    {%- else -%} array({% for one in value %}{{ kafka_cdc.sql_literal(one) | trim }}{{ ', ' if not loop.last }}{% endfor %})
    {%- endif -%}
{%- endmacro %}
