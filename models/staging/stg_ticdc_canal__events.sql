-- One row per event in the messages of the format ticdc_canal.
{{ kafka_cdc.select_flattened_messages(['ticdc_canal']) }}
