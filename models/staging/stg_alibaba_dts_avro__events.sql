-- One row per thing that a message of the format alibaba_dts_avro says.
{{ kafka_cdc.select_flattened_messages(['alibaba_dts_avro']) }}
