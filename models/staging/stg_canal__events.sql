-- One row per thing that a message of the format canal says.
{{ flatten_messages(['canal']) }}
