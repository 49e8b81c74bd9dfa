-- One row per position where a vendor's sequence falls while the offsets rise, unless a line of the setting
-- sequence_resets explains it (kafka_topic, topic_incarnation, kafka_partition, source_name, source_tenant,
-- source_database, source_schema, source_table, kafka_offset).
-- Redelivered changes do not count. Events are read only in the landing batches around a fall, and in those with
-- copied rows of the same partition.
{% set partition = (['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns()) | join(', ') -%}
{%- set batch_stats = ref('event_batch_stats') -%}
{%- set batches_around = kafka_cdc.select_batches_around_sequence_resets(batch_stats) -%}
{%- set batches = kafka_cdc.get_selected_batches(batch_stats, batches_around) -%}
{%- set copies_query -%}
select landing_batch
from {{ batch_stats }}
left semi join ({{ batches_around }}) as around using (kafka_topic, kafka_partition)
where snapshot_rows > 0
{%- endset -%}
{%- set batches_with_copies = kafka_cdc.get_selected_batches(batch_stats, copies_query) if batches else [] -%}
{%- set is_configured = kafka_cdc.configured_reset_condition(
    after=['previous.topic_incarnation', 'previous.kafka_offset'],
    until=['topic_incarnation', 'kafka_offset']
) -%}
with batches_around as (
    {{ batches_around | indent(4) }}
),

sequenced as (
    select events.*
    from {{ ref('events') }} as events
    left semi join batches_around using ({{ partition }}, landing_batch)
    where {{ kafka_cdc.in_batches_condition(batches) }} and {{ kafka_cdc.rising_sequence() }} is not null
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
        struct(topic_incarnation, kafka_offset) as position,
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
        and not {{ is_configured }}
),

{{ kafka_cdc.task_starts_cte(ref('events'), batches + batches_with_copies) }}

select
    kafka_topic,
    falls.topic_incarnation,
    kafka_partition,
    falls.source_format,
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    falls.kafka_offset,
    falls.source_sequence,
    falls.previous.topic_incarnation as previous_incarnation,
    falls.previous.kafka_offset as previous_offset,
    falls.previous.source_sequence as previous_sequence,
    falls.occurred_at,
    falls.landing_batch,
    concat(
        'sequence_resets: - {topic: ',
        kafka_topic,
        ', partition: ',
        kafka_partition,
        ', offset: ',
        task_starts.begin.kafka_offset,
        if(
            task_starts.begin.topic_incarnation > 0,
            concat(', topic_incarnation: ', task_starts.begin.topic_incarnation),
            ''
        ),
        '}'
    ) as remedy
from falls
inner join task_starts using ({{ partition }}, position)
