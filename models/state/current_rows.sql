-- One row per row of a source table that was ever seen (source_name … source_table, row_key), deleted rows included.
-- depends_on: {{ ref('changelog') }}
{{ fold_rows(published(ref('events')), published(ref('stream_profiles')), get_stream_facts(ref('stream_profiles'))) }}
