-- One row per thing that a message of the format huawei_drs_avro says.
{{ flatten_messages(['huawei_drs_avro']) }}
