-- One row per place where a vendor's sequence falls while the offsets rise, and no line of the setting epochs explains it
-- (kafka_topic, topic_incarnation, kafka_partition, source_name, source_tenant, source_database, source_schema, source_table, kafka_offset).
-- What was delivered again is no such place. Events are read only in the landing batches around a fall, and in those with copied rows there.
{% set partition = (['kafka_topic', 'kafka_partition'] + get_table_columns()) | join(', ') -%}
{%- set around = changes_around_falls(ref('stream_profiles')) -%}
{%- set batches = get_batches(ref('stream_profiles'), around) -%}
{%- set copies = get_batches(ref('stream_profiles'), 'select landing_batch from ' ~ ref('stream_profiles') ~ ' left semi join (' ~ around
    ~ ') as around using (kafka_topic, kafka_partition) where snapshot_rows > 0') if batches else [] -%}
with changes_around as (
    {{ around | indent(4) }}
),

sequenced as (
    select events.*
    from {{ ref('events') }} as events
    left semi join changes_around using ({{ partition }}, landing_batch)
    where {{ is_in_batches(batches) }} and {{ ordering_sequence() }} is not null
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
        and not {{ is_explained(['previous.topic_incarnation', 'previous.kafka_offset'], ['topic_incarnation', 'kafka_offset']) }}
),

{{ new_tasks(ref('events'), batches + copies) }}

select
    kafka_topic,
    falls.topic_incarnation,
    kafka_partition,
    {{ get_table_columns() | join(',\n    ') }},
    falls.kafka_offset,
    falls.source_sequence,
    falls.previous.topic_incarnation as previous_incarnation,
    falls.previous.kafka_offset as previous_offset,
    falls.previous.source_sequence as previous_sequence,
    falls.occurred_at,
    falls.landing_batch,
    concat(
        'epochs: - {topic: ', kafka_topic, ', partition: ', kafka_partition, ', offset: ', new_tasks.begin.kafka_offset,
        if(new_tasks.begin.topic_incarnation > 0, concat(', topic_incarnation: ', new_tasks.begin.topic_incarnation), ''), '}'
    ) as remedy
from falls
inner join new_tasks using ({{ partition }}, place)
