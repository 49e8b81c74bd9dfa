-- One row per update that came as a before event and an after event, and per such event whose other event is missing
-- (source_name, source_tenant, source_database, source_schema, source_table, sequence_generation, source_sequence,
-- before_key, after_key).
-- The two events of an update share the vendor's sequence. If several rows share it, events with the same key belong
-- together.
-- depends_on: {{ ref('kafka_cdc', 'changelog') }}
{% set batch_stats = ref('kafka_cdc', 'event_batch_stats') -%}
{{ kafka_cdc.select_split_updates(
    kafka_cdc.published_relation(ref('kafka_cdc', 'events')),
    kafka_cdc.published_relation(batch_stats),
    kafka_cdc.get_stream_facts(batch_stats),
    kafka_cdc.get_holds(ref('kafka_cdc', 'table_holds'), is_published=true)
) }}
