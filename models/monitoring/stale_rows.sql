-- One row per live row that is not in the latest snapshot of its table and did not change since
-- (source_name, source_tenant, source_database, source_schema, source_table, row_key).
-- Events are read only for tables with more than one snapshot.
{% set batch_stats = ref('kafka_cdc', 'event_batch_stats') -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set repeated_tables -%}
select {{ table }}
from {{ batch_stats }}
group by {{ table }}
having {{ kafka_cdc.repeated_snapshots_condition() }}
{%- endset -%}
{%- set batches_query -%}
select landing_batch
from {{ batch_stats }}
left semi join ({{ repeated_tables }}) as repeated_tables using ({{ table }})
where snapshot_rows + snapshot_marks > 0
{%- endset -%}
{%- set has_repeated_snapshots = kafka_cdc.get_table_facts(batch_stats).repeated_snapshots -%}
{%- set batches = kafka_cdc.get_selected_batches(batch_stats, batches_query) if has_repeated_snapshots else [] -%}
{%- set position -%}
struct(
    sequence_generation,
    if(
        {{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(8) }} = 'sequence',
        source_sequence,
        null
    ) as sequence,
    topic_incarnation,
    kafka_offset
)
{%- endset -%}
with repeated_tables as (
    {{ repeated_tables | indent(4) }}
),

snapshot_events as (
    select
        events.*,
        {{ kafka_cdc.sequence_generation() | indent(8) }} as sequence_generation
    from {{ ref('kafka_cdc', 'events') }} as events
    left semi join repeated_tables using ({{ table }})
    where
        {{ kafka_cdc.in_batches_condition(batches) }}
        and (events.operation = 'snapshot' or events.snapshot_mark is not null)
),

snapshot_rows as (
    select
        *,
        max(if(snapshot_mark = 'complete', position, null)) over (partition by {{ table }}) as last_complete
    from (
        select
            *,
            {{ position | indent(12) }} as position
        from snapshot_events
    ) as snapshot_positions
),

-- A complete snapshot begins with its start marker. In a sequence generation after a configured reset it begins with
-- the first row that it copies.
snapshots as (
    select
        {{ table }},
        max(begin) as begin
    from (
        select
            {{ table }},
            position as begin
        from snapshot_rows
        where snapshot_mark = 'start' and position <= last_complete
        union all
        select
            {{ table }},
            min(position) as begin
        from snapshot_rows
        where operation = 'snapshot' and sequence_generation > 0
        group by {{ table }}, sequence_generation
    ) as begins
    group by {{ table }}
)

select
    {{ table }},
    current_rows.row_key,
    current_rows.last_operation,
    current_rows.occurred_at,
    current_rows.kafka_topic,
    current_rows.topic_incarnation,
    current_rows.kafka_partition,
    current_rows.kafka_offset
from {{ ref('kafka_cdc', 'current_rows') }} as current_rows
inner join snapshots using ({{ table }})
where
    {% if not batches %}false and {% endif %}not current_rows.is_deleted
    and {{ position | indent(4) }} < snapshots.begin
