-- One row per event that can still affect a row (kafka_topic, topic_incarnation, kafka_partition, kafka_offset,
-- row_index): those in compacted_events, and all events of the landing batches that are not compacted yet.
-- depends_on: {{ ref('changelog') }}
-- depends_on: {{ ref('event_batch_stats') }}
{{ kafka_cdc.select_effective_events(ref('events'), ref('compacted_events')) }}
