-- One row per statement and source table whose rows it may have changed without row events (kafka_topic,
-- topic_incarnation, kafka_partition, kafka_offset, source_name, source_tenant, source_database, source_schema,
-- source_table).
-- Events are read only in the landing batches with such statements.
{% set batch_stats = ref('kafka_cdc', 'event_batch_stats') -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set batches_query = 'select landing_batch from ' ~ batch_stats ~ ' where silent_statements > 0' -%}
{%- set has_silent_statements = kafka_cdc.get_table_facts(batch_stats).silent_statements -%}
{%- set batches = kafka_cdc.get_selected_batches(batch_stats, batches_query) if has_silent_statements else [] -%}
with statements as (
    select
        *,
        {{ kafka_cdc.ddl_statement('ddl_text') | indent(8) }} as statement,
        {{ kafka_cdc.happened_at() }} as happened_at
    from (
        select
            *,
            {{ kafka_cdc.following_event() | indent(8) }} as following
        from {{ ref('kafka_cdc', 'events') }}
        where {{ kafka_cdc.in_batches_condition(batches) }}
    ) as events
    where {{ kafka_cdc.unreplicated_statement_condition('following') | indent(4) }}
),

named_tables as (
    select
        statements.* except (source_database, source_schema, source_table, operation, following),
        named.*,
        {{ kafka_cdc.ddl_effects('statement') | indent(8) }} as effects
    from statements
        lateral view inline(
            if(
                event_kind = 'ddl',
                transform(
                    ddl_tables,
                    named -> struct(
                        named.operation,
                        named.database as source_database,
                        named.schema as source_schema,
                        named.table as source_table
                    )
                ),
                array(struct(operation, source_database, source_schema, source_table))
            )
        ) named as operation, source_database, source_schema, source_table
),

captured_tables as (
    select
        {{ table }},
        true as is_captured,
        max(last_snapshot_at) as last_snapshot_at
    from {{ batch_stats }}
    where changes > 0
    group by {{ table }}
),

statements_on_tables as (
    select
        named_tables.*,
        captured_tables.is_captured,
        captured_tables.last_snapshot_at
    from named_tables
    left join captured_tables using ({{ table }})
),

effects_on_tables as (
    select
        *,
        case
            when operation = 'rename' and {{ kafka_cdc.table_setting('on_rename', "'keep'") | indent(12) }} = 'keep'
                then array('renames the table, which keeps its old name in current_rows')
            when operation = 'alter' and statement is null then array('alters the table')
            when event_kind = 'other' or operation = 'alter' then effects
        end as unreplicated_effects,
        coalesce(last_snapshot_at > happened_at, false) as has_snapshot_since
    from statements_on_tables
    where event_kind = 'other' or is_captured
)

select
    kafka_topic,
    topic_incarnation,
    kafka_partition,
    kafka_offset,
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    happened_at,
    unreplicated_effects as effects,
    ddl_text,
    last_snapshot_at,
    has_snapshot_since,
    landing_batch
from effects_on_tables
where size(unreplicated_effects) > 0
