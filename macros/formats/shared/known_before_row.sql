{#
  Prints an expression: what is known of the row before an update whose images lack columns.

  A column of the row after the update may have no old value: it changed, and the image before lacks
  it. So only the changed columns and the key are known. The result is null if none of them are.

  Example: after {"id":"1","v":"b","w":"c"} with the changed columns {"v":"a"} and the key [id] gives
  {"id":"1","v":"a"}.

  Arguments:
    after_row (string): SQL of the row after the update, map<string, string>.
    changed_columns (string): SQL of the changed columns with their old values, map<string, string>.
    key_columns (string): SQL of the key columns, array<string>.
#}
{% macro known_before_row(after_row, changed_columns, key_columns) -%}
    {%- set known_columns -%}
    map_filter(
        coalesce({{ kafka_cdc.reconstruct_before_row(after_row, changed_columns) | indent(8) }}, {{ after_row }}),
        (name, text) -> coalesce(map_contains_key({{ changed_columns }}, name), false)
            or coalesce(array_contains({{ key_columns }}, name), false)
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({'known_columns': known_columns}, 'if(size(known_columns) > 0, known_columns, null)') }}
{%- endmacro %}
