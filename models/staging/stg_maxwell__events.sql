-- One row per thing that a message of the format maxwell says.
{{ kafka_cdc.select_flattened_messages(['maxwell']) }}
