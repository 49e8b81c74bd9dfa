{#
  Prints an expression: a source_sequence, array<bigint>, from texts of whole numbers.

  The result is null if one of the texts is missing or empty. Such a position cannot be compared, and
  the offset orders the message. A text that is no whole number becomes null in the array, and the
  message is rejected as invalid_sequence.

  Arguments:
    texts (list[string]): SQL of each text.
    position (string): SQL of the text of the whole position, if `texts` are parts of it. Parts that
      it lacks are then unreadable.
#}
{% macro sequence_array(texts, position=none) -%}
    if(
        {% for text in ([position] if position else texts) -%}
        coalesce({{ text }}, '') = ''{{ ' or ' if not loop.last }}
        {%- endfor %},
        null,
        array({% for text in texts %}try_cast({{ text }} as bigint){{ ', ' if not loop.last }}{% endfor %})
    )
{%- endmacro %}
