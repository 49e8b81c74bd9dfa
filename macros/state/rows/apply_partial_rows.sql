{#
  Prints an expression: a row after partial images, merged column by column in their order.

  Example: row_values {a:x, b:p}, first image {a:y}, second image {c:w} with removed_columns [b].
  The result is {a:y, c:w}.

  Arguments:
    row_values (string): SQL of the row before them, map<string, string>; null if it is unknown.
    images (string): SQL of an ordered array of structs with `row_image` and `removed_columns`.
#}
{% macro apply_partial_rows(row_values, images) -%}
aggregate(
    {{ images }},
    coalesce({{ row_values }}, cast(map() as map<string, string>)),
    (merged_row, change) -> map_concat(
        map_filter(
            merged_row,
            (name, text) -> not map_contains_key(change.row_image, name)
                and not coalesce(array_contains(change.removed_columns, name), false)
        ),
        change.row_image
    )
)
{%- endmacro %}
