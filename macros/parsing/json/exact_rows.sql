{#
  Prints SQL for the rows of a message (before_row, after_row) as its document says them: a repeated column counts once (the
  last one wins), numbers have their own digits. Most rows are so already and stay untouched. Reads number_marker.
#}
{% macro exact_rows(rows) -%}
    if(
        number_marker is null
        and not coalesce(exists({{ rows }}, row -> {{ kafka_cdc.duplicate_keys_condition('row.before_row') }} or {{ kafka_cdc.duplicate_keys_condition('row.after_row') }}), false),
        {{ rows }},
        transform(
            {{ rows }},
            row -> struct({{ kafka_cdc._exact_row('row.before_row') | indent(12) }} as before_row, {{ kafka_cdc._exact_row('row.after_row') | indent(12) }} as after_row)
        )
    )
{%- endmacro %}

{# Prints SQL for one row. #}
{% macro _exact_row(row_map) -%}
    transform_values({{ kafka_cdc.dedupe_map_keys(row_map) | indent(4) }}, (name, text) -> if(number_marker is null, text, {{ kafka_cdc.remove_number_markers('text', 'number_marker') }}))
{%- endmacro %}
