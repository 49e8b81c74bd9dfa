-- One row per event in the messages of the format mongodb_change_stream.
{{ kafka_cdc.select_flattened_messages(['mongodb_change_stream']) }}
