-- One row per place where a vendor's sequence falls while the offsets rise, and no line of the setting sequence_resets explains it
-- (kafka_topic, topic_incarnation, kafka_partition, source_name, source_tenant, source_database, source_schema, source_table, kafka_offset).
-- What was delivered again is no such place. Events are read only in the landing batches around a fall, and in those with copied rows there.
{% set partition = (['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns()) | join(', ') -%}
{%- set around = kafka_cdc.select_batches_around_sequence_resets(ref('event_batch_stats')) -%}
{%- set batches = kafka_cdc.get_selected_batches(ref('event_batch_stats'), around) -%}
{%- set copies = kafka_cdc.get_selected_batches(ref('event_batch_stats'), 'select landing_batch from ' ~ ref('event_batch_stats') ~ ' left semi join (' ~ around
    ~ ') as around using (kafka_topic, kafka_partition) where snapshot_rows > 0') if batches else [] -%}
with changes_around as (
    {{ around | indent(4) }}
),

sequenced as (
    select events.*
    from {{ ref('events') }} as events
    left semi join changes_around using ({{ partition }}, landing_batch)
    where {{ kafka_cdc.in_batches_condition(batches) }} and {{ kafka_cdc.ordering_sequence() }} is not null
),

deliveries as (
    select
        *,
        row_number() over (
            partition by {{ partition }}, source_sequence, occurred_at, row_key, operation
            order by topic_incarnation, kafka_offset, row_index
        ) as delivery
    from sequenced
),

changes as (
    select
        *,
        struct(topic_incarnation, kafka_offset) as place,
        lag(struct(topic_incarnation, kafka_offset, source_sequence)) over (
            partition by {{ partition }} order by topic_incarnation, kafka_offset, row_index
        ) as previous
    from deliveries
    where delivery = 1
),

falls as (
    select *
    from changes
    where
        source_sequence < previous.source_sequence
        and not {{ kafka_cdc.configured_reset_condition(['previous.topic_incarnation', 'previous.kafka_offset'], ['topic_incarnation', 'kafka_offset']) }}
),

{{ kafka_cdc.task_starts_cte(ref('events'), batches + copies) }}

select
    kafka_topic,
    falls.topic_incarnation,
    kafka_partition,
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    falls.kafka_offset,
    falls.source_sequence,
    falls.previous.topic_incarnation as previous_incarnation,
    falls.previous.kafka_offset as previous_offset,
    falls.previous.source_sequence as previous_sequence,
    falls.occurred_at,
    falls.landing_batch,
    concat(
        'sequence_resets: - {topic: ', kafka_topic, ', partition: ', kafka_partition, ', offset: ', task_starts.begin.kafka_offset,
        if(task_starts.begin.topic_incarnation > 0, concat(', topic_incarnation: ', task_starts.begin.topic_incarnation), ''), '}'
    ) as remedy
from falls
inner join task_starts using ({{ partition }}, place)
