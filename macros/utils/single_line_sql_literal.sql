{# Prints a Spark SQL literal of a text as sql_literal does, in one line: what would break or blur it is escaped. #}
{% macro single_line_sql_literal(text) -%}
    {%- set line = namespace(text=kafka_cdc.sql_literal(text) | trim) -%}
    {%- for character in modules.re.findall('[\\x00-\\x1f\\x85\\u2028\\u2029]', text) | unique -%}
        {%- set escape = '\\u000c' if character == '\f' else tojson(character)[1:-1] -%}
        {%- set line.text = line.text | replace(character, escape) -%}
    {%- endfor -%}
    {{ line.text }}
{%- endmacro %}
