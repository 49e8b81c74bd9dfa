{#
  Prints an expression: a Spark SQL literal of a value, without white space around it.

  A string becomes a quoted text, a list becomes an array of them, and none becomes null.
  `${` is escaped, because Spark would replace ${name} with the value of a variable. Control characters
  and line separators are escaped, so that indenting the SQL does not change a text.

  Arguments:
    value (optional[any]): a string, a list of strings, or none.
#}
{% macro sql_literal(value) -%}
    {%- if value is none -%}
        null
    {%- elif value is string -%}
        {%- set literal = namespace(
            text=value | replace('\\', '\\\\') | replace("'", "\\'") | replace('${', '$\\{')
        ) -%}
        {%- for character in modules.re.findall('[\\x00-\\x1f\\x85\\u2028\\u2029]', value) | unique -%}
            {%- set escape = '\\u000c' if character == '\f' else tojson(character)[1:-1] -%}
            {%- set literal.text = literal.text | replace(character, escape) -%}
        {%- endfor -%}
        '{{ literal.text }}'
    {%- else -%}
        array({% for item in value %}{{ kafka_cdc.sql_literal(item) }}{{ ', ' if not loop.last }}{% endfor %})
    {%- endif -%}
{%- endmacro %}
