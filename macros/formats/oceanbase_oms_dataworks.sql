{#
  OceanBase Migration Service (OMS), serialization Dataworks, version 2.0.

  Alibaba's data transmission for ApsaraDB for OceanBase writes the same messages. The format
  covers inserts, updates, deletes, TRUNCATE and other DDL, transactions and heartbeats.
  Document: OMS, "Data formats", Dataworks JSON message format; Alibaba Cloud, "Sync data from an
  OceanBase database to Kafka" (LOB columns).

    {"version": "2.0",
     "schema": {"source": {"dbType": "ob_mysql", "dbVersion": null, "dbName": "db", "schema": null,
                           "table": "tab"},
                "column": [{"name": "col1", "type": "TINYINT"}], "pk": ["col1"]},
     "payload": {"before": null, "after": {"data": {"col1": 3}}, "op": "INSERT", "scn": "null",
                 "ddl": null, "timestamp": {"eventTime": 1647581000000, "systemTime": 1647581000795,
                                            "checkpointTime": 1647581000}},
     "extend": {"load_fm": "test"}}

  Quirks
  * It is not the format of Alibaba DataWorks itself. Rows are in `data`, columns in `column`, keys
    in `pk`, and an UPDATE is one message.
  * The names in `pk` and `column` of the document's examples are not columns of its rows. Columns
    are matched by name, never by position.
  * `scn` orders changes if it is a number. The document's examples have the text "null".
  * `checkpointTime` is in seconds, the other times are in milliseconds.
  * Numbers have up to 1,074 characters. A time in a row may have 13 digits and 9 decimals:
    1590315269000.123456789.
  * A large value (all TEXT types, JSON, GIS, XML, UDT) that an update did not change is null, before
    and after it. Such a column that is null in both images is therefore missing, and the image is
    partial. So is one that is null in a deleted row.
  * A heartbeat has no schema.
  * `auto` distinguishes messages of `alibaba_dataworks` without a schema only by their version and
    by the `op` of their heartbeat.

  Limits
  * An update that sets a large value to NULL may look like one that did not change it. The old value
    then stays.
#}
{% macro format_oceanbase_oms_dataworks() %}
    {%- set payload = 'oceanbase_oms_dataworks.payload' -%}
    {%- set schema = 'oceanbase_oms_dataworks.schema' -%}
    {%- set source = schema ~ '.source' -%}
    {%- set is_row = payload ~ ".op in ('INSERT', 'UPDATE', 'DELETE')" -%}
    {%- set key_columns = schema ~ '.pk' -%}
    {%- set image = 'struct<data map<string, string>>' -%}

    {%- set recognized -%}
    signature.payload.op is not null and signature.payload.source is null and signature.version = '2.0'
    and signature.schema.dataColumn is null
    {%- endset -%}

    {{ return({
        'fields': 'version string, '
            ~ 'schema struct<source struct<dbType string, dbName string, schema string, `table` string>, '
            ~ 'column array<struct<name string, type string>>, pk array<string>>, '
            ~ 'payload struct<before ' ~ image ~ ', after ' ~ image ~ ', op string, '
            ~ 'timestamp struct<eventTime string, systemTime string>, ddl struct<text string>, scn string>',
        'informational': [
            'column array<struct<name string, type string>>',
            'timestamp struct<eventTime string, systemTime string>',
        ],
        'variables': {
            'column_types': kafka_cdc.safe_map_from_arrays(schema ~ '.column.name', schema ~ '.column.type'),
            'known': 'if(' ~ payload ~ ".op = 'UPDATE', "
                ~ kafka_cdc.oceanbase_oms_known_columns(
                    payload ~ '.after.data', key_columns, 'column_types', payload ~ '.before.data'
                ) ~ ', ' ~ payload ~ '.after.data)',
        },
        'recognized_by': {
            'signature': {
                'schema': {'dataColumn': 'array<struct<name: string>>'},
                'payload': {'op': 'string', 'source': 'struct<connector: string>'},
                'version': 'string',
            },
            'condition': recognized,
        },
        'required': {
            'payload.op': payload ~ '.op',
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
            'operation': kafka_cdc.map_operation(payload ~ '.op', dict(
                kafka_cdc.get_canal_operations(),
                HEARTBEAT='heartbeat',
                TRANSACTION_BEGIN='transaction',
                TRANSACTION_END='transaction',
                GTID='transaction',
                XACOMMIT='transaction',
                XAROLLBACK='transaction',
            )),
            'operation_code': payload ~ '.op',
            'occurred_at': kafka_cdc.epoch_timestamp(payload ~ '.timestamp.eventTime'),
            'emitted_at': kafka_cdc.epoch_timestamp(payload ~ '.timestamp.systemTime'),
            'source_sequence': 'case when ' ~ payload ~ ".scn <> 'null' then "
                ~ kafka_cdc.sequence_array([payload ~ '.scn']) ~ ' end',
            'key_columns': key_columns,
            'before_row': kafka_cdc.oceanbase_oms_known_columns(
                payload ~ '.before.data', key_columns, 'column_types'
            ),
            'after_row': 'known',
            'image': 'if(size(known) < size(' ~ payload ~ ".after.data), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'column_types',
            'ddl_text': payload ~ '.ddl.text',
        },
    }) }}
{% endmacro %}
