-- One row per row of a source table that ever existed in the stream (source_name … source_table, row_key).
-- Deleted rows are included.
-- depends_on: {{ ref('changelog') }}
{{ kafka_cdc.select_published_rows(
    {'events': ref('events'), 'batch_stats': ref('event_batch_stats'), 'merged_rows': ref('merged_rows')},
    kafka_cdc.get_stream_facts(ref('event_batch_stats')),
    kafka_cdc.get_holds(ref('table_holds'), is_published=true)
) }}
