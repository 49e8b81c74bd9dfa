-- One row per event in the messages of the format wal2json.
{{ kafka_cdc.select_flattened_messages(['wal2json']) }}
