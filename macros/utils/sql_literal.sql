{#
  Prints an expression: a Spark SQL literal of a value, without white space around it.

  A string becomes a quoted text, a list becomes an array of them, and none becomes null.
  `${` is escaped, because Spark would replace ${name} with the value of a variable.

  Arguments:
    value (optional[any]): a string, a list of strings, or none.
#}
{% macro sql_literal(value) -%}
    {%- if value is none -%}
        null
    {%- elif value is string -%}
        '{{ value | replace('\\', '\\\\') | replace("'", "\\'") | replace('${', '$\\{') }}'
    {%- else -%}
        array({% for item in value %}{{ kafka_cdc.sql_literal(item) }}{{ ', ' if not loop.last }}{% endfor %})
    {%- endif -%}
{%- endmacro %}
