-- One row per event in messages of the format google_datastream.
{{ kafka_cdc.select_flattened_messages(['google_datastream']) }}
