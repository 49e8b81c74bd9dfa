{#
  Tencent Cloud DTS, data subscription, JSON (FlatRecord). MySQL and TDSQL-C MySQL.

  The format covers inserts, updates, deletes, TRUNCATE and other DDL, transactions and heartbeats.
  Document: Tencent Cloud DTS, "JSON Demo Description" (571/61656), and its column attributes and
  type conversion in the vendor's public repository of documents (qcloud-documents). No message of
  the vendor's was reached.

    {"id": 16, "version": 1, "messageType": "UPDATE", "fileName": "mysql-bin.000004",
     "position": "2196@4", "safePosition": "1903@4", "timestamp": 1589373560, "sourceType": "MySQL",
     "schemaName": "inventory", "tableName": "customers", "objectName": "inventory.customers",
     "columns": [{"name": "id", "dataTypeNumber": 3, "isKey": true, "originalType": "int(11)"},
                 {"name": "name", "dataTypeNumber": 15, "originalType": "varchar(64)"}],
     "oldColumns": ["1004", "Anne"], "newColumns": ["1004", "Anne Marie"], "pkNames": ["id"]}

  Quirks
  * `columns` names the columns. `oldColumns` and `newColumns` contain the values as texts.
  * The document does not say how names and values belong together. It is inferred that they have the
    same place in their arrays. A message whose arrays differ in length is rejected.
  * `id` rises over all tables and orders changes.
  * The key is the columns with `isKey`, else `pkNames`.
  * A TIMESTAMP is a number of milliseconds. Binary values are hexadecimal.
  * The document gives `yyyy-dd-mm` as the order of a date. Dates and times are therefore not decoded:
    they stay text in typed tables. So do BIT values, whose text is not documented.
  * BEGIN and COMMIT are control events, and so are HEARTBEAT and CHECKPOINT.
  * A message in several pieces (`total` above 1) is rejected. Version 1 does not write any.

  Limits
  * Protobuf and Avro of the same subscription are not read.
  * A redelivery may have a new `id`.
#}
{% macro format_tencent_dts_json() %}
    {%- set column = 'struct<name: string, isKey: string, originalType: string>' -%}
    {%- set is_row = "tencent_dts_json.messageType in ('INSERT', 'UPDATE', 'DELETE')" -%}
    {%- set has_old = "tencent_dts_json.messageType in ('UPDATE', 'DELETE')" -%}
    {%- set has_new = "tencent_dts_json.messageType in ('INSERT', 'UPDATE')" -%}
    {%- set names = 'tencent_dts_json.columns.name' -%}
    {%- set is_key = "lower(item.isKey) in ('true', '1')" -%}
    {%- set differs = 'size(tencent_dts_json.columns) <> size(tencent_dts_json.' -%}
    {%- set before_row = kafka_cdc.safe_map_from_arrays(names, 'tencent_dts_json.oldColumns') -%}
    {%- set after_row = kafka_cdc.safe_map_from_arrays(names, 'tencent_dts_json.newColumns') -%}

    {{ return({
        'fields': 'id string, messageType string, timestamp string, readerTimestamp string, schemaName string, '
            ~ 'tableName string, total string, pkNames string, sql string, columns array<' ~ column ~ '>, '
            ~ 'oldColumns array<string>, newColumns array<string>',
        'recognized_by': {
            'signature': {
                'messageType': 'string',
                'safePosition': 'string',
                'heartbeatTimestamp': 'string',
                'syncedGtid': 'string',
            },
            'condition': "signature.messageType in ('INSERT', 'UPDATE', 'DELETE', 'DDL', 'BEGIN', 'COMMIT', "
                ~ "'HEARTBEAT', 'CHECKPOINT') and coalesce(signature.safePosition, signature.heartbeatTimestamp, "
                ~ 'signature.syncedGtid) is not null',
        },
        'required': {
            'messageType': 'tencent_dts_json.messageType',
            'schemaName': 'if(' ~ is_row ~ ", tencent_dts_json.schemaName, '')",
            'tableName': 'if(' ~ is_row ~ ", tencent_dts_json.tableName, '')",
            'columns': 'if(' ~ is_row ~ ', tencent_dts_json.columns, array())',
            'oldColumns': 'if(' ~ has_old ~ ', tencent_dts_json.oldColumns, array())',
            'newColumns': 'if(' ~ has_new ~ ', tencent_dts_json.newColumns, array())',
            'sql': "if(tencent_dts_json.messageType = 'DDL', tencent_dts_json.sql, '')",
        },
        'rejects': [
            {
                'condition': 'try_cast(tencent_dts_json.total as bigint) > 1',
                'detail': 'the message is one of several pieces.',
            },
            {
                'condition': has_old ~ ' and ' ~ differs ~ 'oldColumns)',
                'detail': 'columns and oldColumns have different lengths.',
            },
            {
                'condition': has_new ~ ' and ' ~ differs ~ 'newColumns)',
                'detail': 'columns and newColumns have different lengths.',
            },
            {
                'condition': is_row ~ ' and exists(tencent_dts_json.columns, item -> item.name is null)',
                'detail': 'a column has no name.',
            },
        ],
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mysql'",
            'source_tenant': 'null',
            'source_database': 'tencent_dts_json.schemaName',
            'source_schema': 'null',
            'source_table': 'tencent_dts_json.tableName',
            'operation': kafka_cdc.map_operation('tencent_dts_json.messageType', {
                'INSERT': 'insert',
                'UPDATE': 'update',
                'DELETE': 'delete',
                'DDL': 'ddl',
                'BEGIN': 'transaction',
                'COMMIT': 'transaction',
                'HEARTBEAT': 'heartbeat',
                'CHECKPOINT': 'other',
            }),
            'operation_code': 'tencent_dts_json.messageType',
            'occurred_at': kafka_cdc.epoch_timestamp('tencent_dts_json.timestamp', 's'),
            'emitted_at': kafka_cdc.epoch_timestamp('tencent_dts_json.readerTimestamp'),
            'source_sequence': kafka_cdc.sequence_array(['tencent_dts_json.id']),
            'key_columns': 'if(exists(tencent_dts_json.columns, item -> ' ~ is_key
                ~ '), filter(tencent_dts_json.columns, item -> ' ~ is_key
                ~ ").name, from_json(tencent_dts_json.pkNames, 'array<string>'))",
            'before_row': 'if(' ~ has_old ~ ', ' ~ before_row ~ ', null)',
            'after_row': 'if(' ~ has_new ~ ', ' ~ after_row ~ ', null)',
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays(names, 'tencent_dts_json.columns.originalType'),
            'ddl_text': "if(tencent_dts_json.messageType = 'DDL', tencent_dts_json.sql, null)",
        },
    }) }}
{% endmacro %}
