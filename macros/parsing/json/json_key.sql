{#
  Prints an expression: the canonical JSON of a row's key, such as {"id":"1001"}.

  Columns are in the order of key_columns, and values are texts. The result is null if there is no
  row, if there are no key columns, or if the row lacks a value for one of them.

  Arguments:
    row_map (string): SQL of the row, map<string, string>.
    key_columns (string): SQL of the sorted key columns, array<string>.
#}
{% macro json_key(row_map, key_columns) -%}
    if(
        {{ row_map }} is null
        or {{ key_columns }} is null
        or {{ kafka_cdc.incomplete_key_condition(row_map, key_columns) }},
        null,
        to_json(map_from_arrays({{ key_columns }}, transform({{ key_columns }}, name -> {{ row_map }}[name])))
    )
{%- endmacro %}
