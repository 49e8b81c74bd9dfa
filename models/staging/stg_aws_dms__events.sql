-- One row per thing that a message of the format aws_dms says.
{{ kafka_cdc.select_flattened_messages(['aws_dms']) }}
