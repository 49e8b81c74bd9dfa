{#
  Prints an expression: a source_sequence, array<bigint>, from texts of whole numbers.

  A text that is no whole number becomes null, and the message is rejected as invalid_sequence.

  Arguments:
    texts (list[string]): SQL of each text.
#}
{% macro sequence_array(texts) -%}
    array({% for text in texts %}try_cast({{ text }} as bigint){{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}
