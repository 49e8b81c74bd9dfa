-- One row per row of a source table that was ever seen (source_name … source_table, row_key), deleted rows included.
{{ kafka_cdc.select_current_rows(ref('effective_events'), kafka_cdc.published_relation(ref('event_batch_stats')), kafka_cdc.get_stream_facts(ref('event_batch_stats'))) }}
