{#
  Prints the CTE `truncated_tables`: the TRUNCATEs and DROPs of each table, and their policies.

  Its columns are the name of the table, `operation`, `policy`, `row_order` (the statement's sort
  key in the order of that table) and `happened_at`.

  The policy is the table's setting on_truncate or on_drop: apply, keep, error or apply_by_time.
  Without a setting it is apply if the statement and the rows share an order, else error. With
  error the statement changes nothing, and the table is held until the setting decides
  (unordered_statement).
  A DROP of a database or schema counts for each of its tables.

  Example: table t has the vendor's sequence, table u has none and came through partitions 0 and 1.
    statement                     source_sequence  partition  row in truncated_tables
    TRUNCATE t                    [50]             0          t, truncate, apply
    TRUNCATE u                    null             0          u, truncate, error (no shared order)
    DROP TABLE t                  [90]             0          t, drop, apply
    DROP DATABASE (holds t and u) [95]             0          t, drop, apply and u, drop, error
    TRUNCATE v (no rows captured) [99]             0          none

  Arguments:
    events (relation): a relation with the columns of the model events.
    has_renames (boolean): whether renames are applied. A statement then counts for every table
      that ever had the name which the statement contains.
    holds (list[dict[string, any]]): the held tables, from get_holds.

  Requires: the CTE `source_tables`; with has_renames also `table_renames`.
#}
{% macro truncated_tables_cte(events, has_renames=false, holds=[]) -%}
{%- set default_policy = "if(shares_order, 'apply', 'error')" -%}
{%- set name = 'name' if has_renames else 'tables' -%}

{%- if has_renames -%}
{{ kafka_cdc.named_tables_cte() }},

table_names as (
    select
        * except (names),
        explode(names) as name
    from named_tables
),

{% endif -%}
truncated_tables as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        operation,
        if(
            operation = 'truncate',
            {{ kafka_cdc.table_setting('on_truncate', default_policy) | indent(12) }},
            {{ kafka_cdc.table_setting('on_drop', default_policy) | indent(12) }}
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
                {{ kafka_cdc.row_order('order_by', is_statement=true) | indent(12) }} as row_order
            from (
                select
                    tables.* except ({{ 'name, ' if has_renames }}source_database, source_schema, source_table),
                    {{ name }}.source_database,
                    {{ name }}.source_schema,
                    {{ name }}.source_table,
                    {{ kafka_cdc.table_setting('order_by', "'sequence'", 'tables.') | indent(20) }} as order_by,
                    statements.* except (
                        statement,
                        statement_source,
                        statement_tenant,
                        named_database,
                        named_schema,
                        named_table
                    ),
                    statement as operation
                from (
                    {{ kafka_cdc._select_truncating_statements(events, has_batches=holds | length > 0) | indent(20) }}
                ) as statements
                inner join {{ 'table_names' if has_renames else 'source_tables' }} as tables
                    on
                        tables.source_name = statement_source
                        and tables.source_tenant = statement_tenant
                        and {{ name }}.source_database = named_database
                        and (
                            {{ name }}.source_schema = named_schema and {{ name }}.source_table = named_table
                            -- a DROP of a whole schema or database
                            or named_table = '' and named_schema in ('', {{ name }}.source_schema)
                        )
            ) as statements_of_tables
        ) as ordered_statements
    ) as statements_with_shared_order
    {%- if holds %}
    where not {{ kafka_cdc.withheld_condition(holds) | indent(4) }}
    {%- endif %}
)
{%- endmacro %}

{#
  Prints a SELECT: one row per table that a TRUNCATE or DROP names.

  The tables come from ddl_tables if the message is DDL, has no source table, or ddl_tables
  contains a TRUNCATE of the message's own table. Otherwise the message's own table counts.
  Statements without any table name are ignored.

  In addition to `statement` (truncate or drop) and the named table, each row has the columns of the
  message that the macro row_order requires.

  Arguments:
    events (relation): a relation with the columns of the model events.
    has_batches (boolean): whether to select landing_batch and landed_at, too.
#}
{% macro _select_truncating_statements(events, has_batches) -%}
{%- set condition -%}
event_kind in ('change', 'ddl')
    and (operation in ('truncate', 'drop') or exists(ddl_tables, named -> named.operation = 'drop'))
{%- endset -%}
select
    source_name as statement_source,
    source_tenant as statement_tenant,
    sequence_generation,
    source_sequence,
    kafka_timestamp,
    {%- if has_batches %}
    landing_batch,
    landed_at,
    {%- endif %}
    {{ kafka_cdc.get_coordinates() | join(',\n    ') }},
    happened_at,
    named.*
from (
    {{ kafka_cdc.select_ordered_events(events, condition | indent(4)) | indent(4) }}
) as ordered
lateral view inline(
    if(
        size(ddl_tables) > 0
        and (
            event_kind = 'ddl'
            or source_table = ''
            or exists(
                ddl_tables,
                named -> (named.operation, named.database, named.schema, named.table)
                    = ('truncate', source_database, source_schema, source_table)
            )
        ),
        transform(
            filter(ddl_tables, named -> named.operation in ('truncate', 'drop')),
            named -> struct(
                named.operation as operation,
                named.database as `database`,
                named.schema as `schema`,
                named.table as `table`
            )
        ),
        filter(
            array(
                struct(
                    operation,
                    source_database as `database`,
                    source_schema as `schema`,
                    source_table as `table`
                )
            ),
            named -> named.table <> ''
        )
    )
) named as statement, named_database, named_schema, named_table
{%- endmacro %}
