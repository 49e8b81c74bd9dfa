{#
  Prints a SELECT: the hashes of rows to erase, as row_hash.

  Arguments:
    rows (list[dict[string, any]]): tables with their rows, as erase_rows takes them.
#}
{% macro select_row_hashes(rows) -%}
{%- for table in rows if table.row_keys %}
{{ 'union all' if not loop.first }}
select {{ kafka_cdc.row_hash('row_key') }} as row_hash
from (
    select
        {%- for column in kafka_cdc.get_table_columns() %}
        {{ kafka_cdc.sql_literal(table.tables[column]) }} as {{ column }},
        {%- endfor %}
        explode({{ kafka_cdc.sql_literal(table.row_keys) }}) as row_key
) as table_rows
{%- endfor %}
{%- endmacro %}
