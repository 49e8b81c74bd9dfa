-- One row per event in messages of the format ticdc_open.
{{ kafka_cdc.select_flattened_messages(['ticdc_open']) }}
