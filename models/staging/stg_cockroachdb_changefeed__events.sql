-- One row per event in the messages of the format cockroachdb_changefeed.
{{ kafka_cdc.select_flattened_messages(['cockroachdb_changefeed']) }}
