-- One row per event in the messages of the format custom.
{{ kafka_cdc.select_flattened_messages(['custom']) }}
