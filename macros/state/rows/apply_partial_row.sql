{#
  Prints an expression: a row after one partial image.

  The columns of the image override those of the row, and the removed columns are left out. A path
  changes the document in its column.

  Example: row {address:{"city":"A","zip":1}}, image {address.city:"B"} with the steps
  [address, city]. The result is {address:{"city":"B","zip":1}}.

  If the column of a path is unknown, the path has no effect, because the document would be
  incomplete. The same holds if a mask has removed the value.

  Arguments:
    row_values (string): SQL of the row, map<string, string>.
    row_image (string): SQL of the image, map<string, string>.
    removed_columns (string): SQL of the names that it removes, array<string> or null.
    paths (optional[string]): SQL of the paths among these names, see document_paths; none if the stream
      has no paths.
    is_complete (string): SQL of a condition. The row has every column, so that a missing one does not
      exist.
#}
{% macro apply_partial_row(row_values, row_image, removed_columns, paths, is_complete) -%}
{%- set is_removed = 'coalesce(array_contains(' ~ removed_columns ~ ', {}), false)' -%}
{%- set is_path = kafka_cdc.path_condition('name', paths) -%}
{%- set columns -%}
map_concat(
    map_filter(
        {{ row_values }},
        (name, text) -> not map_contains_key({{ row_image }}, name)
            and not {{ is_removed.format('name') }}
            {%- if paths %}
            or {{ is_path }}
            {%- endif %}
    ),
    {{ 'map_filter(' ~ row_image ~ ', (name, text) -> not ' ~ is_path ~ ')' if paths else row_image }}
)
{%- endset -%}
{%- if not paths -%}
{{ columns }}
{%- else -%}
{%- set is_set = 'map_contains_key(' ~ row_image ~ ', path.name)' -%}
{%- set changed_text = kafka_cdc.change_document(
    "if(map_contains_key(path_row, path.steps[0]), path_row[path.steps[0]], '{}')",
    steps='slice(path.steps, 2, size(path.steps))',
    is_set=is_set,
    value=row_image ~ '[path.name]',
    new_size='path.new_size'
) -%}
aggregate(
    coalesce({{ paths }}, array()),
    {{ columns | indent(4) }},
    (path_row, path) -> if(
        ({{ is_set }} or path.new_size is not null or {{ is_removed.format('path.name') }})
        and (map_contains_key(path_row, path.steps[0]) or {{ is_complete }} and {{ is_set }}),
        map_concat(
            map_filter(path_row, (name, text) -> name <> path.steps[0]),
            map(path.steps[0], {{ changed_text | indent(12) }})
        ),
        path_row
    )
)
{%- endif -%}
{%- endmacro %}
