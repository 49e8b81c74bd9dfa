-- One row per thing that a message of the format debezium_unwrapped says.
{{ kafka_cdc.select_flattened_messages(['debezium_unwrapped']) }}
