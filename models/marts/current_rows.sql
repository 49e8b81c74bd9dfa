-- One row per row of a source table that ever existed in the stream (source_name … source_table, row_key).
-- Deleted rows are included.
-- depends_on: {{ ref('kafka_cdc', 'changelog') }}
{{ kafka_cdc.select_published_rows(
    {
        'events': ref('kafka_cdc', 'events'),
        'batch_stats': ref('kafka_cdc', 'event_batch_stats'),
        'merged_rows': ref('kafka_cdc', 'merged_rows'),
    },
    kafka_cdc.get_stream_facts(ref('kafka_cdc', 'event_batch_stats')),
    kafka_cdc.get_holds(ref('kafka_cdc', 'table_holds'), is_published=true)
) }}
