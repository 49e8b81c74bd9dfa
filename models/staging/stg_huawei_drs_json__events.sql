-- One row per thing that a message of the format huawei_drs_json says.
{{ kafka_cdc.select_flattened_messages(['huawei_drs_json']) }}
