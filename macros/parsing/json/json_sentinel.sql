{#
  Prints an expression: the sentinel of a text, which is its own hash.

  No payload contains its own hash by accident. json_between_sentinels explains the use.

  Arguments:
    json_text (string): SQL of the text.
#}
{% macro json_sentinel(json_text) -%}
    hex(xxhash64({{ json_text }}))
{%- endmacro %}
