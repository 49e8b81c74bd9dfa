-- One row per event in the messages of the format tencent_dts_json.
{{ kafka_cdc.select_flattened_messages(['tencent_dts_json']) }}
