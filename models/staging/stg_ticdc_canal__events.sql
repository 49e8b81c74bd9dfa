-- One row per thing that a message of the format ticdc_canal says.
{{ kafka_cdc.select_flattened_messages(['ticdc_canal']) }}
