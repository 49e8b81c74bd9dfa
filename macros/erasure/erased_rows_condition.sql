{#
  Prints a condition: an event is one of rows to erase, or moves one of them to another key.

  Arguments:
    rows (list[dict[string, any]]): tables with their rows, as erase_rows takes them.
    has_moves (boolean): whether there is a column `previous_row_key`.

  Requires: the columns of get_table_columns, `row_key` and, with has_moves, `previous_row_key`.
#}
{% macro erased_rows_condition(rows, has_moves=true) -%}
    (
    {%- for table in rows if table.row_keys %}
        {{- ' or ' if not loop.first }}{{ kafka_cdc.table_condition(table.tables) }} and (
        {{- kafka_cdc.in_values_condition('row_key', table.row_keys) }}
        {%- if has_moves %} or {{ kafka_cdc.in_values_condition('previous_row_key', table.row_keys) }}{% endif %})
    {%- else -%}
        false
    {%- endfor -%}
    )
{%- endmacro %}
