-- One row per thing that a message of the format oceanbase_oms_canal says.
{{ flatten_messages(['oceanbase_oms_canal']) }}
