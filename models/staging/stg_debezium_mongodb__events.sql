-- One row per thing that a message of the format debezium_mongodb says.
{{ flatten_messages(['debezium_mongodb']) }}
