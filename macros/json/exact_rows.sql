{#
  Prints SQL for the rows of a message as its document says them, with their keys: an array of before_row, after_row, before_key
  and after_key. A repeated column counts once (the last one wins), numbers have their own digits. Reads number_mark.
#}
{% macro exact_rows(rows, key_columns) -%}
    transform(
        transform(
            {{ rows }},
            row -> struct({{ _exact_row('row.before_row') | indent(12) }} as before_row, {{ _exact_row('row.after_row') | indent(12) }} as after_row)
        ),
        row -> struct(
            row.before_row,
            row.after_row,
            {{ json_key('row.before_row', key_columns) | indent(12) }} as before_key,
            {{ json_key('row.after_row', key_columns) | indent(12) }} as after_key
        )
    )
{%- endmacro %}

{# Prints SQL for one row. #}
{% macro _exact_row(row_map) -%}
    if(
        number_mark is null,
        {{ last_wins(row_map) | indent(4) }},
        transform_values({{ last_wins(row_map) | indent(4) }}, (name, text) -> {{ unmark_numbers('text', 'number_mark') }})
    )
{%- endmacro %}
