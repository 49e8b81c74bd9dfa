{#
  Prints a condition: a JSON text escapes half a surrogate pair, such as \ud83d alone.

  No UTF-8 text can contain it. Spark would replace it with a question mark.

  Arguments:
    json_text (string): SQL of the text.
#}
{% macro lone_surrogate_condition(json_text) -%}
    contains({{ json_text }}, r'\u') and {{ json_text }} rlike r'\\u[dD][89a-fA-F]' and not {{ json_text }} rlike
    r'(?s)^(?:[^\\]++|\\[^u]|\\u(?:[^dD]|[dD][0-7])|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})*+\z'
{%- endmacro %}
