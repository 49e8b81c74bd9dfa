-- One row per version of a row of a source table (source_name … source_table, row_key, and the coordinates of the change that made it).
-- depends_on: {{ ref('changelog') }}
{{ kafka_cdc.select_row_versions(kafka_cdc.published_relation(ref('events')), kafka_cdc.published_relation(ref('event_batch_stats')), kafka_cdc.get_stream_facts(ref('event_batch_stats'))) }}
