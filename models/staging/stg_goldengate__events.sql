-- One row per thing that a message of the format goldengate says.
{{ flatten_messages(['goldengate']) }}
