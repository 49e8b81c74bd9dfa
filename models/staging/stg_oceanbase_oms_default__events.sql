-- One row per thing that a message of the format oceanbase_oms_default says.
{{ flatten_messages(['oceanbase_oms_default']) }}
