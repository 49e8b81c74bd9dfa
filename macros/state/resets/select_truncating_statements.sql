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
{% macro select_truncating_statements(events, has_batches) -%}
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
