{#
  Prints an expression: a row in which the columns of another row override its own.

  A null in the overriding row counts: the column is null then. Duplicate columns of the overriding
  row count once, the last one wins. Those of the row stay, see exact_rows. The columns of the row
  keep their order, and columns that it lacks follow. Neither row may be null.

  Example: {"id":"1","v":"a","w":"b"} merged with {"v":"c","w":null} is
  {"id":"1","v":"c","w":null}.

  Arguments:
    row_map (string): SQL of the row, map<string, string>.
    overriding_columns (string): SQL of the columns that override it, map<string, string>.
#}
{% macro merge_rows(row_map, overriding_columns) -%}
    {%- set merged -%}
    transform_values({{ row_map }}, (name, text) -> if(map_contains_key(changed, name), changed[name], text))
    {%- endset -%}
    {%- set added -%}
    map_filter(changed, (name, text) -> not map_contains_key({{ row_map }}, name))
    {%- endset -%}

    {{ kafka_cdc.sql_let(
        {
            'changed': kafka_cdc.dedupe_map_keys(overriding_columns),
            'merged': merged,
            'added': added,
        },
        'if(size(added) = 0, merged, map_concat(' ~ kafka_cdc.dedupe_map_keys('merged') ~ ', added))'
    ) }}
{%- endmacro %}
