-- One row per event in the messages of the format tencent_ckafka.
{{ kafka_cdc.select_flattened_messages(['tencent_ckafka']) }}
