-- One row per event in the messages of the format debezium_unwrapped.
{{ kafka_cdc.select_flattened_messages(['debezium_unwrapped']) }}
