-- One row per event in the messages of the format goldengate.
{{ kafka_cdc.select_flattened_messages(['goldengate']) }}
