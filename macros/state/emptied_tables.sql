{#
  Prints the CTE emptied: the TRUNCATEs and DROPs of each known table, in the order of its rows, each with the policy of the settings
  on_truncate and on_drop: apply, keep, error, apply_by_time. By default apply where the statement and the rows share an order: both
  have the vendor's sequence, or both come through one partition; else error (a failing test asks for the setting).
  A DROP of a database or schema counts for each of its tables. Reads the CTE tables.
#}
{% macro emptied_tables(events) -%}
{%- set shared -%}
if(
            case {{ table_setting('order_by', "'sequence'", 'tables.') | indent(16) }}
                when 'kafka_timestamp' then true
                when 'sequence' then statements.source_sequence is not null and sequenced_changes > 0
            end
            or coalesce(sequenced_changes = 0 and statements.source_sequence is null, false)
            and partitions = 1 and one_partition = struct(statements.kafka_topic, statements.kafka_partition),
            'apply',
            'error'
        )
{%- endset -%}
emptied as (
    select
        {%- for column in get_table_columns() %}
        tables.{{ column }},
        {%- endfor %}
        named.operation,
        case named.operation
            when 'truncate' then {{ table_setting('on_truncate', shared, 'tables.') | indent(12) }}
            else {{ table_setting('on_drop', shared, 'tables.') | indent(12) }}
        end as policy,
        statements.row_order,
        statements.happened_at
    from (
        {{ in_order(events, "event_kind in ('change', 'ddl') and operation in ('truncate', 'drop')") | indent(8) }}
    ) as statements
    lateral view inline(
        if(
            size(ddl_tables) > 0 and (event_kind = 'ddl' or source_table = ''),
            transform(ddl_tables, named -> struct(named.operation, named.database, named.schema, named.table)),
            array(struct(operation, source_database, source_schema, source_table))
        )
    ) named as operation, source_database, source_schema, source_table
    inner join tables
        on
            tables.source_name = statements.source_name
            and tables.source_tenant = statements.source_tenant
            and tables.source_database = named.source_database
            and (
                tables.source_schema = named.source_schema and tables.source_table = named.source_table
                or named.source_table = '' and named.source_schema in ('', tables.source_schema)
            )
    where named.operation in ('truncate', 'drop')
)
{%- endmacro %}
