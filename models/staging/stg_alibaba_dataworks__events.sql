-- One row per thing that a message of the format alibaba_dataworks says.
{{ kafka_cdc.select_flattened_messages(['alibaba_dataworks']) }}
