-- One row per range of offsets that landing has not read from Kafka and never will (kafka_topic, topic_incarnation,
-- kafka_partition, first_offset).
-- Kafka had deleted them, or landing was configured to start after them.
{% set offsets = source('raw', 'kafka_messages_offsets') -%}
{%- set has_landed = execute and load_relation(offsets) is not none -%}
with ranges as (
    {%- if has_landed %}
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
        when 'lost' then 'Kafka deleted these offsets, or their topic, before landing read them.'
        when 'skipped' then 'Landing was configured to start after these offsets (--starting-offsets).'
    end as reason,
    recorded_at as noticed_at
from ranges
where outcome in ('lost', 'skipped')
