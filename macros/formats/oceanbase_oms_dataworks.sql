{#
  OceanBase Migration Service (also Alibaba's data transmission for ApsaraDB for OceanBase), serialization Dataworks, version 2.0.
  Document: OMS, "Data formats", Dataworks JSON message format.

    {"version": "2.0", "schema": {"source": {"dbType": "ob_mysql", "dbVersion": null, "dbName": "db", "schema": null, "table": "tab"},
      "column": [{"name": "col1", "type": "TINYINT"}], "pk": ["col1"]},
     "payload": {"before": null, "after": {"data": {"col1": 3}}, "op": "INSERT", "scn": "null", "ddl": null,
      "timestamp": {"eventTime": 1647581000000, "systemTime": 1647581000795, "checkpointTime": 1647581000}}, "extend": {"load_fm": "test"}}

  Quirks
  * Not Alibaba DataWorks's own format: rows are in `data`, columns in `column`, keys in `pk`, and an UPDATE is one message.
  * The document's pk and column names are not those of its rows; by position nothing is taken from them.
  * scn orders where it is a number; the examples say the text "null". checkpointTime is seconds, the others milliseconds.
  * Numbers have up to 1,074 characters; a time may be 13 digits and 9 more, 1590315269000.123456789.
  * A heartbeat has no schema. An alibaba_dataworks message without a schema is told from it by its version and its heartbeat's op only.
#}
{% macro format_oceanbase_oms_dataworks() %}
    {%- set payload = 'oceanbase_oms_dataworks.payload' -%}
    {%- set source = 'oceanbase_oms_dataworks.schema.source' -%}
    {%- set is_row = payload ~ ".op in ('INSERT', 'UPDATE', 'DELETE')" -%}
    {%- set image = 'struct<data map<string, string>>' -%}
    {{ return({
        'fields': 'version string, schema struct<source struct<dbType string, dbName string, schema string, `table` string>, '
            ~ 'column array<struct<name string, type string>>, pk array<string>>, payload struct<before ' ~ image ~ ', after ' ~ image
            ~ ', op string, timestamp struct<eventTime string, systemTime string>, ddl struct<text string>, scn string>',
        'recognized_by': {
            'signature': {
                'schema': {'dataColumn': 'array<struct<name: string>>'},
                'payload': {'op': 'string', 'source': 'struct<connector: string>'},
                'version': 'string',
            },
            'condition': "signature.payload.op is not null and signature.payload.source is null and signature.version = '2.0' "
                ~ 'and signature.schema.dataColumn is null',
        },
        'required': {
            'version': 'oceanbase_oms_dataworks.version',
            'payload.op': payload ~ '.op',
            'payload.timestamp.eventTime': kafka_cdc.epoch_timestamp(payload ~ '.timestamp.eventTime'),
            'schema.source.dbName': 'if(' ~ is_row ~ ', ' ~ source ~ ".dbName, '')",
            'schema.source.table': 'if(' ~ is_row ~ ', ' ~ source ~ ".`table`, '')",
            'payload.before': 'if(' ~ payload ~ ".op = 'UPDATE' and " ~ payload ~ '.before.data is null, null, true)',
        },
        'columns': {
            'source_name': 'null',
            'source_database_type': source ~ '.dbType',
            'source_tenant': 'null',
            'source_database': source ~ '.dbName',
            'source_schema': source ~ '.schema',
            'source_table': source ~ '.`table`',
            'operation': kafka_cdc.map_operation(payload ~ '.op', dict(kafka_cdc.get_canal_operations(), HEARTBEAT='heartbeat', TRANSACTION_BEGIN='transaction',
                TRANSACTION_END='transaction', GTID='transaction', XACOMMIT='transaction', XAROLLBACK='transaction')),
            'operation_code': payload ~ '.op',
            'occurred_at': kafka_cdc.epoch_timestamp(payload ~ '.timestamp.eventTime'),
            'emitted_at': kafka_cdc.epoch_timestamp(payload ~ '.timestamp.systemTime'),
            'source_sequence': 'case when ' ~ payload ~ ".scn <> 'null' then " ~ kafka_cdc.sequence_array([payload ~ '.scn']) ~ ' end',
            'key_columns': 'oceanbase_oms_dataworks.schema.pk',
            'before_row': payload ~ '.before.data',
            'after_row': payload ~ '.after.data',
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays('oceanbase_oms_dataworks.schema.column.name', 'oceanbase_oms_dataworks.schema.column.type'),
            'ddl_text': payload ~ '.ddl.text',
        },
    }) }}
{% endmacro %}
