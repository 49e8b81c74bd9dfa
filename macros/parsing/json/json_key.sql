{#
  Prints SQL for the canonical JSON of a row's key, {"id":"1001"}: columns in the order of key_columns (sorted), values as text;
  null without a row or key columns, and where the row lacks its key.
#}
{% macro json_key(row_map, key_columns) -%}
    if(
        {{ row_map }} is null or {{ key_columns }} is null or {{ kafka_cdc.incomplete_key_condition(row_map, key_columns) }},
        null,
        to_json(map_from_arrays({{ key_columns }}, transform({{ key_columns }}, name -> {{ row_map }}[name])))
    )
{%- endmacro %}
