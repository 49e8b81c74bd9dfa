-- One row per row of a source table that ever existed in the stream (source_name … source_table, row_key).
-- Deleted rows are included.
{% set batch_stats = ref('event_batch_stats') -%}
{{ kafka_cdc.select_current_rows(
    ref('effective_events'),
    kafka_cdc.published_relation(batch_stats),
    kafka_cdc.get_stream_facts(batch_stats),
    kafka_cdc.get_holds(ref('table_holds'), is_published=true)
) }}
