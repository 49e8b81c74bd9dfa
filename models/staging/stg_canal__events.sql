-- One row per event in the messages of the format canal.
{{ kafka_cdc.select_flattened_messages(['canal']) }}
