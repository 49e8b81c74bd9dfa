{#
  Prints an expression: a row in which the columns of another row override its own.

  A null in the overriding row counts: the column is null then. Duplicate columns of either row
  count once. Neither row may be null.

  Example: {"id":"1","v":"a","w":"b"} merged with {"v":"c","w":null} is
  {"id":"1","v":"c","w":null}.

  Arguments:
    row_map (string): SQL of the row, map<string, string>.
    overriding_columns (string): SQL of the columns that override it, map<string, string>.
#}
{% macro merge_rows(row_map, overriding_columns) -%}
    {{ kafka_cdc.sql_let(
        {
            'whole': kafka_cdc.dedupe_map_keys(row_map),
            'changed': kafka_cdc.dedupe_map_keys(overriding_columns),
        },
        'map_concat(map_filter(whole, (name, text) -> not map_contains_key(changed, name)), changed)'
    ) }}
{%- endmacro %}
