{#
  Prints a condition: a text is one of several values. No value means that it is false.

  Arguments:
    text (string): SQL of the text.
    values (list[string]): the values.
#}
{% macro in_values_condition(text, values) -%}
    {%- if values -%}
        {{ text }} in (
        {%- for value in values -%}
            {{ kafka_cdc.sql_literal(value) }}{{ ', ' if not loop.last }}
        {%- endfor -%}
        )
    {%- else -%}
        false
    {%- endif -%}
{%- endmacro %}
