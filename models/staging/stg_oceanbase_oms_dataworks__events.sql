-- One row per thing that a message of the format oceanbase_oms_dataworks says.
{{ flatten_messages(['oceanbase_oms_dataworks']) }}
