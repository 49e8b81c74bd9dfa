{#
  Prints a SELECT: the changes of columns that typed tables have followed, from their properties.

  A change is in the property of its table, so that both are committed together. The hook
  refresh_applied_schema_changes recreates the view at the end of a run that applied one.
#}
{% macro select_applied_schema_changes() -%}
{%- set names = kafka_cdc.get_table_columns() -%}
{%- set columns = ['typed_table'] + names + [
    'column_name', 'change', 'type_before', 'type_after', 'policy', 'applied_at'
] -%}
{%- set rows = [] -%}
{%- for table in kafka_cdc.get_typed_tables() -%}
    {%- set built_from = kafka_cdc.get_built_from(table) -%}
    {%- for change in built_from.get('schema_changes', []) -%}
        {%- set literals = [] -%}
        {%- for column in columns -%}
            {%- set value = dict(built_from.tables, typed_table=table | string, **change)[column] -%}
            {%- do literals.append('cast(null as string)' if value is none else kafka_cdc.sql_literal(value)) -%}
        {%- endfor -%}
        {%- do rows.append('(' ~ literals | join(', ') ~ ')') -%}
    {%- endfor -%}
{%- endfor -%}
select
    {{ columns[:-1] | join(',\n    ') }},
    cast(applied_at as timestamp) as applied_at
from
    values
    {{ rows | sort | join(',\n    ') or '(' ~ (['cast(null as string)'] * columns | length) | join(', ') ~ ')' }}
        as changes ({{ columns | join(', ') }})
where typed_table is not null
{%- endmacro %}
