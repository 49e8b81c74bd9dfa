-- One row per event in the messages of the format debezium.
{{ kafka_cdc.select_flattened_messages(['debezium']) }}
