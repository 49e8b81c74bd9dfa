-- One row per landed message (kafka_topic, topic_incarnation, kafka_partition, kafka_offset), with the format that it is in.
with {{ landed_messages() }}

{{ recognise_messages('messages') }}
