{#
  Returns the package's formats, one line each: the slug of format_<slug> (its macro), stg_<slug>__events (its view) and
  tests/cases/<slug>. Topics that are read as `auto` try them in this order; the first that recognizes a message reads it.
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
        'ticdc_canal',
        'tencent_ckafka',
        'oceanbase_oms_canal',
        'canal',
        'huawei_drs_json',
        'huawei_drs_json_c',
        'goldengate',
        'aws_dms',
        'maxwell',
        'debezium_mongodb',
        'debezium',
        'alibaba_dts_avro',
        'huawei_drs_avro',
    ]) }}
{% endmacro %}
