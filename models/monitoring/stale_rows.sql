-- One row per live row that the newest snapshot of its table does not hold, nor a change since
-- (source_name, source_tenant, source_database, source_schema, source_table, row_key). Read only for tables with a second snapshot.
{% set profiles = ref('event_batch_stats') -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set repeated -%}
select {{ table }}
from {{ profiles }}
group by {{ table }}
having sum(snapshot_ends) > 1{{ ' or sum(snapshot_rows) > 0' if kafka_cdc.get_sequence_resets() }}
{%- endset -%}
{%- set batches = kafka_cdc.get_selected_batches(profiles, 'select landing_batch from ' ~ profiles ~ ' left semi join (' ~ repeated ~ ') as repeated using ('
    ~ table ~ ') where snapshot_rows + snapshot_marks > 0') -%}
{%- set sequence = 'if(' ~ kafka_cdc.table_setting('order_by', "'sequence'") ~ " = 'sequence', source_sequence, null)" -%}
{%- set place = 'struct(sequence_generation, ' ~ sequence ~ ' as sequence, topic_incarnation, kafka_offset)' -%}
with repeated as (
    {{ repeated | indent(4) }}
),

of_repeated as (
    select
        events.*,
        {{ kafka_cdc.sequence_generation() | indent(8) }} as sequence_generation
    from {{ ref('events') }} as events
    left semi join repeated using ({{ table }})
    where {{ kafka_cdc.in_batches_condition(batches) }} and (events.operation = 'snapshot' or events.snapshot_mark is not null)
),

snapshot_rows as (
    select
        *,
        max(if(snapshot_mark = 'complete', place, null)) over (partition by {{ table }}) as last_complete
    from (
        select
            *,
            {{ place | indent(12) }} as place
        from of_repeated
    ) as placed
),

-- A snapshot begins with the message that says so, where it is whole, and with the first row it copies in an sequence_generation.
snapshots as (
    select
        {{ table }},
        max(begin) as begin
    from (
        select
            {{ table }},
            place as begin
        from snapshot_rows
        where snapshot_mark = 'start' and place <= last_complete
        union all
        select
            {{ table }},
            min(place) as begin
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
from {{ ref('current_rows') }} as current_rows
inner join snapshots using ({{ table }})
where
    {% if not batches %}false and {% endif %}not current_rows.is_deleted
    and {{ place | indent(4) }} < snapshots.begin
