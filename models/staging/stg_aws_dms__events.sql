-- One row per event in the messages of the format aws_dms.
{{ kafka_cdc.select_flattened_messages(['aws_dms']) }}
