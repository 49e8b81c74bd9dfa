{#
  Prints an expression: a row after partial images, merged one after another in their order.

  Example: row_values {a:x, b:p}, first image {a:y}, second image {c:w} with removed_columns [b].
  The result is {a:y, c:w}.

  Arguments:
    row_values (string): SQL of the row before them, map<string, string>; null if it is unknown.
    images (string): SQL of an ordered array of structs with `row_image` and `removed_columns`, and
      with `paths` if has_paths.
    has_paths (boolean): whether the stream has paths into documents (facts.path_updates).
    is_complete (string): SQL of a condition. The row before them had every column.
#}
{% macro apply_partial_rows(row_values, images, has_paths, is_complete) -%}
aggregate(
    {{ images }},
    coalesce({{ row_values }}, cast(map() as map<string, string>)),
    (merged_row, change) -> {{ kafka_cdc.apply_partial_row(
        'merged_row',
        row_image='change.row_image',
        removed_columns='change.removed_columns',
        paths='change.paths' if has_paths else none,
        is_complete=is_complete
    ) | indent(4) }}
)
{%- endmacro %}
