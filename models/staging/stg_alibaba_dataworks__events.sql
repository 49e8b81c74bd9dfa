-- One row per event in the messages of the format alibaba_dataworks.
{{ kafka_cdc.select_flattened_messages(['alibaba_dataworks']) }}
