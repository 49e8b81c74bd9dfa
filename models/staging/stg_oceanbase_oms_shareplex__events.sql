-- One row per event in the messages of the format oceanbase_oms_shareplex.
{{ kafka_cdc.select_flattened_messages(['oceanbase_oms_shareplex']) }}
