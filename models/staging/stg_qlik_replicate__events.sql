-- One row per event in the messages of the format qlik_replicate.
{{ kafka_cdc.select_flattened_messages(['qlik_replicate']) }}
