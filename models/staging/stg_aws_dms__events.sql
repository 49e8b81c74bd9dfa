-- One row per thing that a message of the format aws_dms says.
{{ flatten_messages(['aws_dms']) }}
