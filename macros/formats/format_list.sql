{#
  Returns the slugs of the package's message formats.

  A slug names the macro format_<slug>, the view stg_<slug>__events and the folder
  tests/cases/<slug>. A format comes before those that give way to it, which are in the entry
  `instead_of` of its `recognized_by`.

  Returns: list[string].
#}
{% macro get_package_formats() %}
    {{ return([
        'debezium_unwrapped',
        'alibaba_dataworks',
        'oceanbase_oms_dataworks',
        'huawei_drs_mongodb_json',
        'mongodb_change_stream',
        'oceanbase_oms_default',
        'oceanbase_oms_shareplex',
        'alibaba_dts_shareplex',
        'huawei_drs_typed_json',
        'ticdc_open',
        'ticdc_simple',
        'ticdc_canal',
        'tencent_eventbridge_dts',
        'tencent_ckafka',
        'oceanbase_oms_canal',
        'canal',
        'huawei_drs_json',
        'huawei_drs_json_c',
        'qlik_replicate',
        'confluent_oracle_cdc',
        'goldengate',
        'aws_dms',
        'maxwell',
        'debezium_mongodb',
        'cockroachdb_changefeed',
        'debezium_cloudevents',
        'debezium_cells',
        'wal2json',
        'wal2json_v1',
        'debezium',
        'tencent_dts_json',
        'cloudcanal',
        'dynamodb_streams',
        'google_datastream',
        'alibaba_dts_avro',
        'huawei_drs_avro',
        'plain_rows',
        'sequin',
        'tencent_dts_canal',
        'custom',
    ]) }}
{% endmacro %}
