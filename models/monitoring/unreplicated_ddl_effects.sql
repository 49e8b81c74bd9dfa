-- One row per statement and source table whose rows it may have changed without saying so
-- (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, source_name, source_tenant, source_database, source_schema, source_table).
-- Events are read only in the landing batches with such statements.
{% set profiles = ref('event_batch_stats') -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set batches = kafka_cdc.get_selected_batches(profiles, 'select landing_batch from ' ~ profiles ~ ' where silent_statements > 0') -%}
with statements as (
    select
        *,
        {{ kafka_cdc.ddl_statement('ddl_text') | indent(8) }} as statement,
        {{ kafka_cdc.happened_at() }} as happened_at
    from (
        select
            *,
            {{ kafka_cdc.following_event() | indent(8) }} as following
        from {{ ref('events') }}
        where {{ kafka_cdc.in_batches_condition(batches) }}
    ) as events
    where {{ kafka_cdc.unreplicated_statement_condition('following') | indent(4) }}
),

named as (
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
                    named -> struct(named.operation, named.database as source_database, named.schema as source_schema, named.table as source_table)
                ),
                array(struct(operation, source_database, source_schema, source_table))
            )
        ) named as operation, source_database, source_schema, source_table
),

known_tables as (
    select
        {{ table }},
        true as is_known,
        max(last_snapshot_at) as last_snapshot_at
    from {{ profiles }}
    where changes > 0
    group by {{ table }}
),

of_known_tables as (
    select
        named.*,
        known_tables.is_known,
        known_tables.last_snapshot_at
    from named
    left join known_tables using ({{ table }})
),

changes as (
    select
        *,
        case
            when operation = 'rename' and {{ kafka_cdc.table_setting('on_rename', "'keep'") | indent(12) }} = 'keep'
                then array('renames the table, which keeps its old name here')
            when operation = 'alter' and statement is null then array('alters the table')
            when event_kind = 'other' or operation = 'alter' then effects
        end as silent_effects,
        coalesce(last_snapshot_at > happened_at, false) as has_snapshot_since
    from of_known_tables
    where event_kind = 'other' or is_known
)

select
    kafka_topic,
    topic_incarnation,
    kafka_partition,
    kafka_offset,
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    happened_at,
    silent_effects as effects,
    ddl_text,
    last_snapshot_at,
    has_snapshot_since,
    landing_batch
from changes
where size(silent_effects) > 0
