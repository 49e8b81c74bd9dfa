-- One row per thing that a message of the format debezium_unwrapped says.
{{ flatten_messages(['debezium_unwrapped']) }}
