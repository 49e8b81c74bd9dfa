{#
  Prints the SELECT of the statements that empty tables, a row for each table that one names: those of its text, or the message's own where it is
  none of them. A statement that names no table, in a message of none, empties none. With what row_order reads of the message.
#}
{% macro select_truncating_statements(events) -%}
    select
        source_name as statement_source,
        source_tenant as statement_tenant,
        sequence_generation,
        source_sequence,
        kafka_timestamp,
        {{ kafka_cdc.get_coordinates() | join(',\n        ') }},
        happened_at,
        named.*
    from (
        {{ kafka_cdc.select_ordered_events(events, "event_kind in ('change', 'ddl') and (operation in ('truncate', 'drop') or exists(ddl_tables, named -> named.operation = 'drop'))") | indent(8) }}
    ) as ordered
    lateral view inline(
        if(
            size(ddl_tables) > 0 and (
                event_kind = 'ddl'
                or source_table = ''
                or exists(ddl_tables, named ->
                    (named.operation, named.database, named.schema, named.table) = ('truncate', source_database, source_schema, source_table)
                )
            ),
            transform(
                filter(ddl_tables, named -> named.operation in ('truncate', 'drop')),
                named -> struct(named.operation as operation, named.database as `database`, named.schema as `schema`, named.table as `table`)
            ),
            filter(
                array(struct(operation, source_database as `database`, source_schema as `schema`, source_table as `table`)),
                named -> named.table <> ''
            )
        )
    ) named as statement, named_database, named_schema, named_table
{%- endmacro %}
