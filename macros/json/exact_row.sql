{#
  Prints SQL for a row as the document says it: a repeated column once (the last one wins), numbers in their own digits.
  Reads number_mark of the message.
#}
{% macro exact_row(row_map) -%}
    if(
        number_mark is null,
        {{ last_wins(row_map) | indent(4) }},
        transform_values({{ last_wins(row_map) | indent(4) }}, (name, text) -> {{ unmark_numbers('text', 'number_mark') }})
    )
{%- endmacro %}
