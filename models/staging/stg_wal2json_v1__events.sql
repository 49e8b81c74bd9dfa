-- One row per event in the messages of the format wal2json_v1.
{{ kafka_cdc.select_flattened_messages(['wal2json_v1']) }}
