-- One row per event in the messages of the format huawei_drs_json.
{{ kafka_cdc.select_flattened_messages(['huawei_drs_json']) }}
