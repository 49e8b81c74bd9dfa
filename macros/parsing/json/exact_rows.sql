{#
  Prints an expression: the rows of a message, with exact numbers and without duplicate columns.

  Of duplicate columns the last one wins. Numbers get their original digits. Most rows need neither
  and stay untouched.

  Arguments:
    rows (string): SQL of an array of structs with before_row and after_row.

  Requires: the column `number_marker`.
#}
{% macro exact_rows(rows) -%}
    {#- Most images before have the names of the image after. Comparing is cheaper than a search for duplicates. -#}
    {%- set has_same_names = 'coalesce(map_keys({row}.before_row) = map_keys({row}.after_row), false)' -%}
    {%- set has_duplicates = kafka_cdc.duplicate_keys_condition('{row}.after_row') ~ ' or not ' ~ has_same_names
        ~ ' and ' ~ kafka_cdc.duplicate_keys_condition('{row}.before_row') -%}
    if(
        number_marker is null
        and not coalesce({{ kafka_cdc.any_element_condition(rows, 'row', has_duplicates) | indent(8) }}, false),
        {{ rows }},
        transform(
            {{ rows }},
            row -> struct(
                {{ kafka_cdc._exact_row('row.before_row') | indent(16) }} as before_row,
                {{ kafka_cdc._exact_row('row.after_row') | indent(16) }} as after_row
            )
        )
    )
{%- endmacro %}

{# Prints an expression: one exact row. #}
{% macro _exact_row(row_map) -%}
    transform_values(
        {{ kafka_cdc.dedupe_map_keys(row_map) | indent(8) }},
        (name, text) -> if(
            contains(text, number_marker),
            {{ kafka_cdc.remove_number_markers('text', 'number_marker') | indent(12) }},
            text
        )
    )
{%- endmacro %}
