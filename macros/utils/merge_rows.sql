{#
  Prints SQL for a row with another row's columns laid over it: what the second says counts, also where it says null. Neither
  may be null; a column that is there twice counts once, in either.
#}
{% macro merge_rows(row_map, columns_over) -%}
    {{ kafka_cdc.sql_let(
        {'whole': kafka_cdc.dedupe_map_keys(row_map), 'changed': kafka_cdc.dedupe_map_keys(columns_over)},
        'map_concat(map_filter(whole, (name, text) -> not map_contains_key(changed, name)), changed)'
    ) }}
{%- endmacro %}
