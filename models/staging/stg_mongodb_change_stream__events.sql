-- One row per thing that a message of the format mongodb_change_stream says.
{{ kafka_cdc.select_flattened_messages(['mongodb_change_stream']) }}
