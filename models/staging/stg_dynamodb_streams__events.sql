-- One row per event in messages of the format dynamodb_streams.
{{ kafka_cdc.select_flattened_messages(['dynamodb_streams']) }}
