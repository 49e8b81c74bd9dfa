{#
  Prints a condition: a row belongs to one of some source tables.

  Arguments:
    tables (list[dict[string, string]]): for each table, the value of each column of get_table_columns.

  Requires: the columns of get_table_columns.
#}
{% macro tables_condition(tables) -%}
    {%- set columns = kafka_cdc.get_table_columns() -%}
    {%- if tables | length == 1 -%}
{{ kafka_cdc.table_condition(tables[0]) }}
    {%- else -%}
({{ columns | join(', ') }}) in (
        {%- for parts in tables %}
    (
            {%- for column in columns -%}
    {{ kafka_cdc.sql_literal(parts[column]) }}{{ ', ' if not loop.last }}
            {%- endfor -%}
    ){{ ',' if not loop.last }}
        {%- endfor %}
)
    {%- endif -%}
{%- endmacro %}
