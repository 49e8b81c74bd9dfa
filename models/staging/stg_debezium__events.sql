-- One row per thing that a message of the format debezium says.
{{ kafka_cdc.select_flattened_messages(['debezium']) }}
