-- One row per thing that a message of the format ticdc_canal says.
{{ flatten_messages(['ticdc_canal']) }}
