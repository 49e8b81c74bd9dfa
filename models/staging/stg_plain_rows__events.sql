-- One row per event in the messages of the format plain_rows.
{{ kafka_cdc.select_flattened_messages(['plain_rows']) }}
