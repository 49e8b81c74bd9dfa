-- One row per thing that a message of the format canal says.
{{ kafka_cdc.select_flattened_messages(['canal']) }}
