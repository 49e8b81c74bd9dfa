-- One row per range of offsets that landing from Kafka has not read and will not read (kafka_topic, topic_incarnation, kafka_partition,
-- first_offset): Kafka had deleted them, or landing was told to start behind them.
{% set offsets = source('raw', 'kafka_messages_offsets') -%}
{%- set is_there = execute and load_relation(offsets) is not none -%}
with ranges as (
    {%- if is_there %}
    select *
    from {{ offsets }}
    {%- else %}
    -- Nothing has landed from Kafka yet.
    select
        '' as topic,
        0 as topic_incarnation,
        0 as `partition`,
        '' as outcome,
        0L as first_offset,
        0L as next_offset,
        current_timestamp() as recorded_at
    {%- endif %}
)

select
    topic as kafka_topic,
    topic_incarnation,
    `partition` as kafka_partition,
    first_offset,
    next_offset - 1 as last_offset,
    next_offset - first_offset as offsets,
    outcome,
    case outcome
        when 'lost' then 'Kafka had deleted these offsets, or their topic, before landing read them.'
        when 'skipped' then 'Landing was told to start behind these offsets (--starting).'
    end as reason,
    recorded_at as noticed_at
from ranges
where outcome in ('lost', 'skipped')
