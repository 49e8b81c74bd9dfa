{#
  Prints the CTE emptied: the TRUNCATEs and DROPs of each known table, in the order of its rows, each with the policy of the settings
  on_truncate and on_drop: apply, keep, error, apply_by_time. By default apply where the statement and the rows share an order: both
  have the vendor's sequence, or both come through one partition; else error (a failing test asks for the setting).
  A DROP of a database or schema counts for each of its tables. Reads the CTE tables.
  renames: whether there is a CTE renames; a statement then counts under each name that a table had by and by and that it names.
#}
{% macro truncated_tables_cte(events, renames=false) -%}
{%- set by_default = "if(shares_order, 'apply', 'error')" -%}
{%- set name = 'name' if renames else 'tables' -%}
{%- if renames -%}
{{ kafka_cdc.named_tables_cte() }},

table_names as (
    select
        * except (names),
        explode(names) as name
    from named_tables
),

{% endif -%}
emptied as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        operation,
        if(
            operation = 'truncate',
            {{ kafka_cdc.table_setting('on_truncate', by_default) | indent(12) }},
            {{ kafka_cdc.table_setting('on_drop', by_default) | indent(12) }}
        ) as policy,
        row_order,
        happened_at
    from (
        select
            *,
            {{ kafka_cdc.shared_order_condition('row_order') | indent(8) }} as shares_order
        from (
            select
                *,
                {{ kafka_cdc.row_order('order_by') | indent(12) }} as row_order
            from (
                select
                    tables.* except ({{ 'name, ' if renames }}source_database, source_schema, source_table),
                    {{ name }}.source_database,
                    {{ name }}.source_schema,
                    {{ name }}.source_table,
                    {{ kafka_cdc.table_setting('order_by', "'sequence'", 'tables.') | indent(20) }} as order_by,
                    statements.* except (statement, statement_source, statement_tenant, named_database, named_schema, named_table),
                    statement as operation
                from ({{ kafka_cdc.select_truncating_statements(events) | indent(16) }}) as statements
                inner join {{ 'table_names' if renames else 'tables' }} as tables
                    on
                        tables.source_name = statement_source
                        and tables.source_tenant = statement_tenant
                        and {{ name }}.source_database = named_database
                        and (
                            {{ name }}.source_schema = named_schema and {{ name }}.source_table = named_table
                            or named_table = '' and named_schema in ('', {{ name }}.source_schema)
                        )
            ) as statements_of_tables
        ) as ordered
    ) as judged
)
{%- endmacro %}
