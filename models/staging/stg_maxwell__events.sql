-- One row per thing that a message of the format maxwell says.
{{ flatten_messages(['maxwell']) }}
