{#
  Huawei Data Replication Service (DRS), JSON, of PostgreSQL, GaussDB, Oracle and SQL Server.

  The format covers inserts, updates, deletes, DDL and the full copy (INIT, INIT_DDL).
  Document: Data Replication Service, "Kafka message format", JSON, 2025-11 edition, the table with
  columnType, dbType and opType.

    {"columnType": {"id": "integer", "name": "character"}, "dbType": "GaussDB Primary/Standby",
     "schema": "schema01", "opType": "UPDATE", "id": 332, "es": 1639626187000, "ts": 1639629261915,
     "database": "database01", "table": "table01", "type": "UPDATE", "isDdl": false, "sql": "",
     "data": [{"id": "1", "name": "b"}], "old": [{"id": "1", "name": "a"}], "pkNames": null}

  Quirks
  * `type` repeats `opType`. A message in which they differ is rejected.
  * `pkNames` is null in the document's UPDATE. The key then comes from the settings.
  * Oracle leaves `database` empty and names the schema in `schema`. Older messages name the schema
    in `database`.
  * Updates of Oracle contain the logged columns only. They are partial images.
  * `old` is read as it is written. It is never completed from `data`: without REPLICA IDENTITY
    FULL it contains only the key.
  * `es` of PostgreSQL is the commit time of the previous transaction. It never orders changes.
  * `id` orders changes within one task: a new task needs an entry in `sequence_resets`.
  * `sqlType` is an internal code, not java.sql.Types.
  * bytea is hex. Ranges and json are text.
  * INIT and INIT_DDL are the full copy. The document describes them for MySQL on the same page.
  * `auto` recognizes the format by `columnType`, or by `opType` with `dbType`. `huawei_drs_json` has
    none of them. Apache InLong writes `opType` into messages of Canal, without the others.

  Limits
  * INIT rows of a second full copy have no position. They sort before all changes and repair
    nothing until an entry of `sequence_resets` names their first message.
#}
{% macro format_huawei_drs_typed_json() %}
    {%- set message = 'huawei_drs_typed_json' -%}
    {%- set is_oracle = 'lower(' ~ message ~ ".dbType) like '%oracle%'" -%}

    {%- set schema_name -%}
    if({{ is_oracle }}, coalesce(given_schema, nullif({{ message }}.database, '')), {{ message }}.schema)
    {%- endset -%}

    {%- set database_name -%}
    if({{ is_oracle }}, if(given_schema is null, null, {{ message }}.database), {{ message }}.database)
    {%- endset -%}

    {%- set different_counts -%}
    {{ message }}.opType = 'UPDATE'
    and coalesce(size({{ message }}.`old`), -1) <> coalesce(size({{ message }}.data), -1)
    {%- endset -%}

    {%- set incomplete_old_key -%}
    {{ message }}.opType = 'UPDATE' and exists(
        {{ message }}.`old`,
        row -> size(array_except({{ message }}.pkNames, map_keys(row))) between 1 and size({{ message }}.pkNames) - 1
    )
    {%- endset -%}

    {{ return({
        'fields': 'columnType map<string, string>, dbType string, schema string, opType string, id string, es string, '
            ~ 'ts string, database string, `table` string, type string, isDdl string, sql string, '
            ~ 'data array<map<string, string>>, `old` array<map<string, string>>, pkNames array<string>',
        'informational': ['columnType map<string, string>'],
        'variables': {
            'given_schema': 'nullif(' ~ message ~ ".schema, '')",
            'schema_name': schema_name,
            'database_name': database_name,
        },
        'recognized_by': {
            'signature': {
                'opType': 'string',
                'dbType': 'string',
                'columnType': 'map<string, string>',
                'isDdl': 'string',
            },
            'condition': 'signature.columnType is not null and coalesce(signature.opType, signature.isDdl) is not null '
                ~ 'or signature.opType is not null and signature.dbType is not null',
            'instead_of': ['oceanbase_oms_canal', 'canal', 'huawei_drs_json'],
        },
        'required': {
            'opType': message ~ '.opType',
            'dbType': message ~ '.dbType',
            'isDdl': 'if(' ~ message ~ '.isDdl is null or ' ~ message ~ ".isDdl in ('true', 'false'), true, null)",
            'database': 'if(' ~ is_oracle ~ ", '', database_name)",
            'schema': 'if(' ~ message ~ ".isDdl = 'true' or " ~ message ~ ".opType in ('DDL', 'INIT_DDL'), '', "
                ~ 'schema_name)',
            'table': message ~ '.`table`',
        },
        'rejects': [
            {
                'condition': message ~ '.type <> ' ~ message ~ '.opType',
                'detail': 'type does not match opType.',
            },
            {
                'condition': message ~ '.isDdl <> if(' ~ message ~ ".opType in ('DDL', 'INIT_DDL'), 'true', 'false')",
                'detail': 'isDdl does not match opType.',
            },
            {
                'condition': different_counts,
                'detail': 'data and old have different numbers of rows.',
            },
            {
                'condition': incomplete_old_key,
                'detail': 'old contains only a part of the key.',
            },
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
                'INSERT': 'insert',
                'UPDATE': 'update',
                'DELETE': 'delete',
                'INIT': 'snapshot',
                'DDL': 'ddl',
                'INIT_DDL': 'ddl',
            }),
            'operation_code': message ~ '.opType',
            'occurred_at': kafka_cdc.epoch_timestamp(message ~ '.es'),
            'emitted_at': kafka_cdc.epoch_timestamp(message ~ '.ts'),
            'source_sequence': kafka_cdc.sequence_array([message ~ '.id']),
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
