{#
  Prints SQL for a row after partial images: base (null: nothing is known of it), and over it parts, an array of structs with said_row
  and removed_columns, in their order.
#}
{% macro apply_partial_rows(base, parts) -%}
aggregate({{ parts }}, coalesce({{ base }}, cast(map() as map<string, string>)), (row_values, part) -> map_concat(
    map_filter(row_values, (name, text) ->
        not map_contains_key(part.said_row, name) and not coalesce(array_contains(part.removed_columns, name), false)),
    part.said_row
))
{%- endmacro %}
