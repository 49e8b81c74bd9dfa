-- One row per event in the messages of the format debezium_mongodb.
{{ kafka_cdc.select_flattened_messages(['debezium_mongodb']) }}
