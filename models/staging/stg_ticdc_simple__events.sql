-- One row per event in the messages of the format ticdc_simple.
{{ kafka_cdc.select_flattened_messages(['ticdc_simple']) }}
