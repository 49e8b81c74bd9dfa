{#
  Prints the CTE `statement_times`: when DDL or a TRUNCATE changed a source table, one row per statement and table.

  Events are read only in the landing batches that have statements.

  Arguments:
    events (relation): the model events.
    batch_stats (relation): the model event_batch_stats.
#}
{% macro statement_times_cte(events, batch_stats) -%}
{%- set query -%}
select landing_batch
from {{ batch_stats }}
where ddl_messages + silent_statements + truncates > 0
{%- endset -%}
{%- set batches = kafka_cdc.get_selected_batches(batch_stats, query) -%}
statement_times as (
    select
        source_name,
        source_tenant,
        named.source_database,
        named.source_schema,
        named.source_table,
        happened_at
    from (
        select
            source_name,
            source_tenant,
            {{ kafka_cdc.happened_at() | indent(12) }} as happened_at,
            explode(
                array_union(
                    array(struct(source_database, source_schema, source_table)),
                    coalesce(
                        transform(
                            ddl_tables,
                            named -> struct(
                                named.database as source_database,
                                named.schema as source_schema,
                                named.table as source_table
                            )
                        ),
                        array()
                    )
                )
            ) as named
        from {{ events }}
        where
            {{ kafka_cdc.in_batches_condition(batches) }}
            and (event_kind in ('ddl', 'other') or operation = 'truncate')
    ) as statements
)
{%- endmacro %}
