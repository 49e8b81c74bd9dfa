-- One row per tombstone that does not follow a delete of its key in its partition (kafka_topic, topic_incarnation,
-- kafka_partition, kafka_offset).
-- Only raw has the message keys. It is read only for topics with a tombstone directly after something other than a
-- delete.
{% set batch_stats = ref('kafka_cdc', 'event_batch_stats') -%}
{%- set topics = kafka_cdc.get_facts(kafka_cdc.get_versioned_relation(batch_stats)).tombstone_topics -%}
{%- set partition = 'kafka_topic, kafka_partition' -%}
{%- set of_topics = kafka_cdc.globs_condition('kafka_topic', topics) if topics else 'false' -%}
{%- set has_deletes = kafka_cdc.has_table_setting('on_tombstone', ['delete']) -%}
with keys as (
    select
        topic as kafka_topic,
        topic_incarnation,
        `partition` as kafka_partition,
        `offset` as kafka_offset,
        landing_batch,
        key as message_key,
        {{ kafka_cdc.tombstone_condition('value') }} as is_tombstone
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
    messages.kafka_topic,
    messages.kafka_partition,
    messages.topic_incarnation,
    messages.kafka_offset,
    messages.landing_batch,
    {{ 'cast(null as string) as message_key' if kafka_cdc.has_masks() else 'messages.message_key' }},
    {{ 'deleting_tombstones.kafka_offset is not null' if has_deletes else 'false' }} as deletes_row
from messages
left anti join (
    select
        {{ partition }},
        topic_incarnation,
        kafka_offset
    from {{ ref('kafka_cdc', 'events') }}
    where operation = 'delete' and {{ of_topics | indent(4) }}
) as deletes
    on
        messages.kafka_topic = deletes.kafka_topic
        and messages.kafka_partition = deletes.kafka_partition
        and messages.before.topic_incarnation = deletes.topic_incarnation
        and messages.before.kafka_offset = deletes.kafka_offset
{%- if has_deletes %}
{%- set tombstones -%}
(select * from {{ ref('kafka_cdc', 'events') }} where event_kind = 'tombstone' and {{ of_topics }})
{%- endset %}
left join (
    {{ kafka_cdc.select_tombstone_deletes(tombstones, batch_stats, holds=[]) | indent(4) }}
) as deleting_tombstones
    on
        {%- for column in kafka_cdc.get_message_coordinates() %}
        {{ 'and ' if not loop.first }}messages.{{ column }} = deleting_tombstones.{{ column }}
        {%- endfor %}
{%- endif %}
where messages.is_tombstone
