-- One row per thing that a message of the format oceanbase_oms_canal says.
{{ kafka_cdc.select_flattened_messages(['oceanbase_oms_canal']) }}
