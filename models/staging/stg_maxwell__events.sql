-- One row per event in the messages of the format maxwell.
{{ kafka_cdc.select_flattened_messages(['maxwell']) }}
