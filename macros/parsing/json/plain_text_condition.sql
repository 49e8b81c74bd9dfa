{#
  Prints a condition: a text is valid UTF-8 and contains no backslash, thus no JSON escape.

  A false result proves nothing else. Java finds the backslash with vector instructions, and
  decodes invalid bytes to other ones. The check is therefore cheaper than is_valid_utf8 or contains.

  Arguments:
    text (string): SQL of the text.
#}
{% macro plain_text_condition(text) -%}
    get(split({{ text }}, r'\\', 2), 0) = {{ text }}
{%- endmacro %}
