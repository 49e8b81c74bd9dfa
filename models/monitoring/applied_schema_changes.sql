-- One row per change of a column that a typed table has followed (typed_table, applied_at, column_name).
{{ kafka_cdc.select_applied_schema_changes() }}
