-- One row per thing that a message of the format alibaba_dts_avro says.
{{ flatten_messages(['alibaba_dts_avro']) }}
