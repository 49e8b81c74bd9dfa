{#
  Huawei DRS, JSON, of PostgreSQL, GaussDB, Oracle and SQL Server.
  Document: Data Replication Service, "Kafka message format", JSON, 2025-11 edition, the table with columnType, dbType and opType.

    {"columnType": {"id": "integer", "name": "character"}, "dbType": "GaussDB Primary/Standby", "schema": "schema01",
     "opType": "UPDATE", "id": 332, "es": 1639626187000, "ts": 1639629261915, "database": "database01", "table": "table01",
     "type": "UPDATE", "isDdl": false, "sql": "", "data": [{"id": "1", "name": "b"}], "old": [{"id": "1", "name": "a"}],
     "pkNames": null}

  Quirks
  * `type` repeats opType; where they differ the message is in quarantine.
  * pkNames is null in the documented UPDATE: the key then comes from the settings.
  * Oracle leaves `database` empty and names the schema (older messages: the schema stands in `database`). Its updates say the
    logged columns only: a partial image.
  * `old` is read as written and never filled up from `data`: without REPLICA IDENTITY FULL it holds the key only.
  * `es` of PostgreSQL is the commit time of the transaction before. It never orders; `id` does, within one task (setting sequence_resets).
  * sqlType is an internal code, not java.sql.Types. bytea is hex, ranges and json are text. INIT and INIT_DDL are the full copy,
    as the same page says of MySQL.
  * opType or columnType tells it from huawei_drs_json and canal, which have neither: it stands before them in the registry.
#}
{% macro format_huawei_drs_typed_json() %}
    {%- set message = 'huawei_drs_typed_json' -%}
    {%- set is_oracle = 'lower(' ~ message ~ ".dbType) like '%oracle%'" -%}
    {{ return({
        'fields': 'columnType map<string, string>, dbType string, schema string, opType string, id string, es string, ts string, '
            ~ 'database string, `table` string, type string, isDdl string, sql string, data array<map<string, string>>, '
            ~ '`old` array<map<string, string>>, pkNames array<string>',
        'variables': {
            'named': "nullif(" ~ message ~ ".schema, '')",
            'schema_name': 'if(' ~ is_oracle ~ ', coalesce(named, nullif(' ~ message ~ ".database, '')), " ~ message ~ '.schema)',
            'database_name': 'if(' ~ is_oracle ~ ', if(named is null, null, ' ~ message ~ '.database), ' ~ message ~ '.database)',
        },
        'recognized_by': {
            'signature': {'opType': 'string', 'columnType': 'map<string, string>', 'isDdl': 'string'},
            'condition': '(signature.opType is not null or signature.columnType is not null) and signature.isDdl is not null',
        },
        'required': {
            'opType': message ~ '.opType',
            'dbType': message ~ '.dbType',
            'isDdl': 'if(' ~ message ~ ".isDdl in ('true', 'false'), true, null)",
            'database': 'if(' ~ is_oracle ~ ", '', database_name)",
            'schema': 'if(' ~ message ~ ".isDdl = 'true', '', schema_name)",
            'table': message ~ '.`table`',
            'id': message ~ '.id',
            'es': kafka_cdc.epoch_timestamp(message ~ '.es'),
        },
        'rejects': [
            {'condition': 'not (' ~ message ~ '.type <=> ' ~ message ~ '.opType)', 'detail': 'type says otherwise than opType.'},
            {'condition': message ~ '.isDdl <> if(' ~ message ~ ".opType in ('DDL', 'INIT_DDL'), 'true', 'false')",
             'detail': 'isDdl says otherwise than opType.'},
            {'condition': message ~ ".opType = 'UPDATE' and coalesce(size(" ~ message ~ '.`old`), -1) <> coalesce(size(' ~ message ~ '.data), -1)',
             'detail': 'data and old have different numbers of rows.'},
            {'condition': message ~ ".opType = 'UPDATE' and exists(" ~ message ~ '.`old`, row -> size(array_except(' ~ message
                ~ '.pkNames, map_keys(row))) between 1 and size(' ~ message ~ '.pkNames) - 1)',
             'detail': 'old says a part of the key.'},
        ],
        'rows': kafka_cdc.zip_rows(message ~ '.`old`', message ~ '.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': message ~ '.dbType',
            'source_tenant': 'null',
            'source_database': 'database_name',
            'source_schema': 'schema_name',
            'source_table': message ~ '.`table`',
            'operation': kafka_cdc.map_operation(message ~ '.opType', {
                'INSERT': 'insert', 'UPDATE': 'update', 'DELETE': 'delete', 'INIT': 'snapshot', 'DDL': 'ddl', 'INIT_DDL': 'ddl',
            }),
            'operation_code': message ~ '.opType',
            'occurred_at': kafka_cdc.epoch_timestamp(message ~ '.es'),
            'emitted_at': kafka_cdc.epoch_timestamp(message ~ '.ts'),
            'source_sequence': 'case when ' ~ message ~ '.id is not null then ' ~ kafka_cdc.sequence_array([message ~ '.id']) ~ ' end',
            'key_columns': message ~ '.pkNames',
            'before_row': 'if(' ~ message ~ ".opType in ('UPDATE', 'DELETE'), row.before_row, null)",
            'after_row': 'if(' ~ message ~ ".opType = 'DELETE', null, row.after_row)",
            'image': 'if(' ~ is_oracle ~ ' and ' ~ message ~ ".opType = 'UPDATE', 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': message ~ '.columnType',
            'ddl_text': 'nullif(' ~ message ~ ".sql, '')",
        },
    }) }}
{% endmacro %}
