{#
  Prints an expression: a Spark SQL literal like that of sql_literal, on a single line.

  Control characters and line separators are escaped, so that a generated model stays readable.

  Arguments:
    text (string): the text.
#}
{% macro single_line_sql_literal(text) -%}
    {%- set literal = namespace(text=kafka_cdc.sql_literal(text)) -%}

    {%- for character in modules.re.findall('[\\x00-\\x1f\\x85\\u2028\\u2029]', text) | unique -%}
        {%- set escape = '\\u000c' if character == '\f' else tojson(character)[1:-1] -%}
        {%- set literal.text = literal.text | replace(character, escape) -%}
    {%- endfor -%}

    {{ literal.text }}
{%- endmacro %}
