-- One row per event in the messages of the format confluent_oracle_cdc.
{{ kafka_cdc.select_flattened_messages(['confluent_oracle_cdc']) }}
