-- One row per landed message (kafka_topic, topic_incarnation, kafka_partition, kafka_offset), with its message format.
{{ config(post_hook='{{ kafka_cdc.remember_used_formats() }}') }}
with {{ kafka_cdc.landed_messages_ctes() }}

{{ kafka_cdc.select_recognized_messages('messages') }}
