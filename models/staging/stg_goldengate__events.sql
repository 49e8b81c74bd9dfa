-- One row per thing that a message of the format goldengate says.
{{ kafka_cdc.select_flattened_messages(['goldengate']) }}
