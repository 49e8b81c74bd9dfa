-- One row per break in the chains of a source table's rows in a landing batch (landing_batch, source_name,
-- source_tenant, source_database, source_schema, source_table, break_kind, different_columns, proposed_cause).
{{ kafka_cdc.select_known_breaks(ref('kafka_cdc', 'chain_breaks'), ref('kafka_cdc', 'event_batch_stats')) }}
