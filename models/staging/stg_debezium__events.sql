-- One row per thing that a message of the format debezium says.
{{ flatten_messages(['debezium']) }}
