-- One row per thing that a message of the format tencent_ckafka says.
{{ kafka_cdc.select_flattened_messages(['tencent_ckafka']) }}
