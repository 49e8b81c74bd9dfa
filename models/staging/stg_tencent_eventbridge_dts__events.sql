-- One row per event in the messages of the format tencent_eventbridge_dts.
{{ kafka_cdc.select_flattened_messages(['tencent_eventbridge_dts']) }}
