-- One row per version of a row of a source table (source_name … source_table, row_key, and the coordinates of the change that made it).
-- depends_on: {{ ref('changelog') }}
{{ row_versions(published(ref('events')), published(ref('stream_profiles')), get_stream_facts(ref('stream_profiles'))) }}
