-- One row per row of a source table that was ever seen (source_name … source_table, row_key), deleted rows included.
{{ fold_rows(ref('state_events'), published(ref('stream_profiles')), get_stream_facts(ref('stream_profiles'))) }}
