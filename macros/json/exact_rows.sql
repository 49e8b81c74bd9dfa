{#
  Prints SQL for the rows of a message (before_row, after_row) as its document says them: a repeated column counts once (the
  last one wins), numbers have their own digits. Most rows are so already and stay untouched. Reads number_mark.
#}
{% macro exact_rows(rows) -%}
    if(
        number_mark is null
        and not coalesce(exists({{ rows }}, row -> {{ repeats_a_key('row.before_row') }} or {{ repeats_a_key('row.after_row') }}), false),
        {{ rows }},
        transform(
            {{ rows }},
            row -> struct({{ _exact_row('row.before_row') | indent(12) }} as before_row, {{ _exact_row('row.after_row') | indent(12) }} as after_row)
        )
    )
{%- endmacro %}

{# Prints SQL for one row. #}
{% macro _exact_row(row_map) -%}
    transform_values({{ last_wins(row_map) | indent(4) }}, (name, text) -> if(number_mark is null, text, {{ unmark_numbers('text', 'number_mark') }}))
{%- endmacro %}
