{#
  Prints an expression: a JSON document whose fractions, exponents and negative zeros are strings.

  Each such number gets quotes, and the number marker at both ends. Everything else stays as it is.
  Text that is not JSON stays text that is not JSON. Only a whole JSON number is quoted, and only
  where a value may occur.

  Each match starts where the last one ended (\G). It skips strings and integers.

  Arguments:
    json_text (string): SQL of the document.
    number_marker (string): SQL of the marker, see number_marker.
#}
{% macro quote_numbers(json_text, number_marker) -%}
    {#- What may precede the number: anything that is neither a string nor a number, strings, integers. -#}
    {%- set string = '"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"' -%}
    {%- set integer = '(?:-?[1-9][0-9]*+|0)(?![0-9.eE])' -%}
    {%- set skipped = '((?:[^"0-9-]*+(?:' ~ string ~ '|' ~ integer ~ '))*+[^"0-9-]*+)' -%}
    {%- set number = '(-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+)' -%}
    regexp_replace(
        {{ json_text }},
        r'\G{{ skipped }}{{ number }}(?=\s*+[,}\]])',
        concat('$1"', {{ number_marker }}, '$2', {{ number_marker }}, '"')
    )
{%- endmacro %}
