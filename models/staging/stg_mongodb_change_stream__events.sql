-- One row per thing that a message of the format mongodb_change_stream says.
{{ flatten_messages(['mongodb_change_stream']) }}
