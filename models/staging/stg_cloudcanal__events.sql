-- One row per event in messages of the format cloudcanal.
{{ kafka_cdc.select_flattened_messages(['cloudcanal']) }}
