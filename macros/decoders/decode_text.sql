{#
  Prints an expression: a value that stays the text that it is.

  It serves character types, JSON, XML, UUIDs, ranges, intervals and network addresses.

  Arguments:
    text (string): SQL of the text.
#}
{% macro decode_text(text) -%}
    {{ text }}
{%- endmacro %}
