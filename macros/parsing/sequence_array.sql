{#
  Prints an expression: a source_sequence, array<bigint>, from texts of whole numbers.

  A text that is no whole number becomes null, and the message is rejected as invalid_sequence. The
  result is null if no text has a value: the message has no position, and the offset orders it.

  Arguments:
    texts (list[string]): SQL of each text.
    position (string): SQL of the text of the whole position, if `texts` are parts of it.
#}
{% macro sequence_array(texts, position=none) -%}
    {%- set numbers -%}
    array({% for text in texts %}try_cast({{ text }} as bigint){{ ', ' if not loop.last }}{% endfor %})
    {%- endset -%}
    {%- set values = [position] if position else texts -%}
    if(coalesce(nullif({{ values | join(", ''), nullif(") }}, '')) is null, null, {{ numbers }})
{%- endmacro %}
