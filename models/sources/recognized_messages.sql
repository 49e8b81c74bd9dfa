-- One row per landed message (kafka_topic, topic_incarnation, kafka_partition, kafka_offset), with its message format.
-- The hook asks once which formats there are, before several staging views ask at the same time.
{{ config(post_hook="{% do kafka_cdc.get_used_formats() if flags.WHICH in ['run', 'build'] else none %}") }}
with {{ kafka_cdc.landed_messages_ctes() }}

{{ kafka_cdc.select_recognized_messages('messages') }}
