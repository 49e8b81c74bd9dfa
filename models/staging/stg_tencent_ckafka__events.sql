-- One row per thing that a message of the format tencent_ckafka says.
{{ flatten_messages(['tencent_ckafka']) }}
