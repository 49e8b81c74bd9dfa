-- One row per tombstone before which no deletion of its key came in its partition (kafka_topic, topic_incarnation, kafka_partition,
-- kafka_offset). Keys are in raw alone; it is read only for topics with a tombstone that does not follow a deletion.
{% set profiles = ref('event_batch_stats') -%}
{%- set topics = [] -%}
{%- if execute and load_relation(profiles) is not none -%}
    {%- set topics = run_query('select distinct kafka_topic from ' ~ profiles ~ ' where lone_tombstones > 0 order by 1').columns[0].values() | list -%}
{%- endif -%}
{%- set partition = 'kafka_topic, kafka_partition' -%}
with keys as (
    select
        topic as kafka_topic,
        topic_incarnation,
        `partition` as kafka_partition,
        `offset` as kafka_offset,
        landing_batch,
        key as message_key,
        coalesce(ltrim(' \t\r\n', value), '') = '' as is_tombstone
    from {{ kafka_cdc.get_raw_relation() }}
    where {{ kafka_cdc.globs_condition('topic', topics) if topics else 'false' }}
),

messages as (
    select
        *,
        last_value(if(is_tombstone, null, struct(topic_incarnation, kafka_offset)), true) over (
            partition by {{ partition }}, message_key order by topic_incarnation, kafka_offset
        ) as before
    from keys
)

select
    {{ partition }},
    messages.topic_incarnation,
    messages.kafka_offset,
    messages.landing_batch,
    messages.message_key
from messages
left anti join (
    select
        {{ partition }},
        topic_incarnation,
        kafka_offset
    from {{ ref('events') }}
    where operation = 'delete' and {{ kafka_cdc.globs_condition('kafka_topic', topics) if topics else 'false' }}
) as deletions
    on
        messages.kafka_topic = deletions.kafka_topic
        and messages.kafka_partition = deletions.kafka_partition
        and messages.before.topic_incarnation = deletions.topic_incarnation
        and messages.before.kafka_offset = deletions.kafka_offset
where messages.is_tombstone
