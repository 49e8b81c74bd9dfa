-- One row per version of a row of a source table (source_name … source_table, row_key, and the coordinates of the
-- change that created it).
-- depends_on: {{ ref('kafka_cdc', 'changelog') }}
{% set batch_stats = ref('kafka_cdc', 'event_batch_stats') -%}
{{ kafka_cdc.select_row_versions(
    kafka_cdc.published_relation(ref('kafka_cdc', 'events')),
    kafka_cdc.published_relation(batch_stats),
    kafka_cdc.get_stream_facts(batch_stats),
    kafka_cdc.get_holds(ref('kafka_cdc', 'table_holds'), is_published=true)
) }}
