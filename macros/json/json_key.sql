{#
  Prints SQL for the canonical JSON of a row's key, {"id":"1001"}: columns in the order of key_columns (sorted), values as text;
  null without key columns, and where the row does not say one of them or says null.
#}
{% macro json_key(row_map, key_columns) -%}
    if(
        {{ row_map }} is null or {{ key_columns }} is null
        or exists({{ key_columns }}, name -> {{ row_map }}[name] is null),
        null,
        to_json(map_from_arrays({{ key_columns }}, transform({{ key_columns }}, name -> {{ row_map }}[name])))
    )
{%- endmacro %}
