{#
  Prints an expression: a text as a JSON string, with quotes and escapes.

  Arguments:
    text (string): SQL of the text.
#}
{% macro json_string(text) -%}
    regexp_replace(to_json(array({{ text }})), r'^\[|\]$', '')
{%- endmacro %}
