-- One row per event in the messages of the format sequin.
{{ kafka_cdc.select_flattened_messages(['sequin']) }}
