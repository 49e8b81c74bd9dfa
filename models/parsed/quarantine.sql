-- One row per rejected message (kafka_topic, topic_incarnation, kafka_partition, kafka_offset), with the reason and the
-- landed text. The text is null if raw no longer contains the message.
{% set has_masks = kafka_cdc.has_masks() -%}
{%- set quotable = kafka_cdc.quotable_condition('events.') -%}
select
    events.kafka_topic,
    events.topic_incarnation,
    events.kafka_partition,
    events.kafka_offset,
    events.kafka_timestamp,
    events.landed_at,
    events.landing_batch,
    events.reject_code,
    events.reject_detail,
    events.source_format,
    events.source_name,
    events.source_database,
    events.source_schema,
    events.source_table,
    events.operation_code,
    events.occurred_at,
    {{ 'if(' ~ quotable ~ ', messages.key, null) as message_key' if has_masks else 'messages.key as message_key' }},
    {{ 'if(' ~ quotable ~ ', messages.value, null) as message_value' if has_masks else 'messages.value as message_value' }}
from {{ ref('kafka_cdc', 'events') }} as events
left join {{ kafka_cdc.get_raw_relation() }} as messages
    on events.landing_batch = messages.landing_batch and {{ kafka_cdc.same_message_condition('messages', 'events') }}
where events.event_kind = 'rejected'
