-- One row per range of landed offsets with missing offsets before or in it (kafka_topic, topic_incarnation,
-- kafka_partition, first_offset).
-- A range is one landing batch, or several whose offsets overlap.
{{ kafka_cdc.select_offset_gaps(ref('kafka_cdc', 'event_batch_stats')) }}
