-- One row per event in the messages of the format alibaba_dts_avro.
{{ kafka_cdc.select_flattened_messages(['alibaba_dts_avro']) }}
