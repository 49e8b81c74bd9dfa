-- One row per position where a vendor's sequence starts again, or may do so, unless a line of the setting
-- sequence_resets explains it (kafka_topic, topic_incarnation, kafka_partition, source_name, source_tenant,
-- source_database, source_schema, source_table, kafka_offset).
-- Late and redelivered changes do not count. Events are read only in the landing batches around a fall that was not
-- checked before, and in those with copied rows of the same partition.
{% set partition = (['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns()) | join(', ') -%}
{%- set stream = 'kafka_topic, kafka_partition, source_name, source_tenant' -%}
{%- set batch_stats = ref('kafka_cdc', 'event_batch_stats') -%}
{%- set batches = kafka_cdc.get_batches_around_falls(batch_stats) -%}
{%- set unchecked = kafka_cdc.get_unchecked_falls_condition(batch_stats) if batches else none -%}
{%- set batches_around = kafka_cdc.select_batches_around_sequence_resets(batch_stats, unchecked) -%}
{%- set copies_query -%}
select copies.landing_batch
from {{ batch_stats }} as copies
inner join (
    select
        kafka_topic,
        kafka_partition,
        min(struct(topic_incarnation, first_offset)) as begin
    from {{ batch_stats }}
    left semi join ({{ batches_around }}) as around using ({{ stream }}, landing_batch)
    group by kafka_topic, kafka_partition
) as around using (kafka_topic, kafka_partition)
where snapshot_rows > 0 and struct(topic_incarnation, last_offset) >= begin
{%- endset -%}
{%- set batches_with_copies = kafka_cdc.get_selected_batches(batch_stats, copies_query) if batches else [] -%}
with batches_around as (
    {{ batches_around | indent(4) }}
),

sequenced as (
    select
        events.*,
        {{ kafka_cdc.sequence_generation() | indent(8) }} as sequence_generation
    from {{ ref('kafka_cdc', 'events') }} as events
    left semi join batches_around using ({{ stream }}, landing_batch)
    where
        {{ kafka_cdc.in_batches_condition(batches) }}
        {%- if kafka_cdc.has_table_setting('order_by', ['offset', 'kafka_timestamp']) %}
        and {{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(8) }} = 'sequence'
        {%- endif %}
        and {{ kafka_cdc.rising_sequence() | indent(8) }} is not null
),

falls as (
    select sequence_falls.*
    from (
        {{ kafka_cdc.select_sequence_falls('sequenced') | indent(8) }}
    ) as sequence_falls
    left semi join batches_around using ({{ partition }})
),

{{ kafka_cdc.task_starts_cte(ref('kafka_cdc', 'events'), batches + batches_with_copies) }}

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
    falls.is_undecided,
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
