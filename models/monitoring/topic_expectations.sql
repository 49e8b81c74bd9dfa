-- One row per topic (kafka_topic): how late its messages land, how long it is silent, and whether that is expected.
{{ kafka_cdc.select_topic_expectations(ref('kafka_cdc', 'event_batch_stats')) }}
