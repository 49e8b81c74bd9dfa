{#
  Huawei DRS, JSON, of the MySQL family (MySQL, TaurusDB, GaussDB(for MySQL), DDM).
  Document: Data Replication Service, "Kafka message format", JSON, 2025-11 edition (the older edition lacks INIT and INIT_DDL).

    {"mysqlType": {"id": "int"}, "id": 27677, "es": 1624614713000, "ts": 1625058726990,
     "database": "test01", "table": "test ", "type": "UPDATE", "isDdl": false, "sql": "",
     "data": [{"id": "104"}], "old": [{"id": "103"}], "pkNames": ["id"]}

  Quirks
  * The documented UPDATE changes its key: `old` is the whole row before, 103, and row 103 must go.
  * DELETE has its row in `old` (JSON-C and canal: in `data`; either is read). INIT and INIT_DDL are the full copy.
  * All values are text: timestamp is epoch seconds with a fraction, binary and blob are Java's signed bytes "[106, -3]".
  * `id` grows within one DRS task only; a new task starts anew (setting sequence_resets). DDL may come through a topic of its own.
  * The table's name is kept as written, trailing space included.
  * One message cannot be told from Canal's, so canal's partial `old` is laid over `data` as canal means it.
#}
{% macro format_huawei_drs_json() %}
    {{ return(kafka_cdc._huawei_drs_json('huawei_drs_json', 'coalesce(row.before_row, row.after_row)', {
        'signature': {'type': 'string', 'isDdl': 'string', 'id': 'string', 'mysqlType': 'map<string, string>'},
        'condition': "signature.type is not null and signature.isDdl is not null and signature.id is not null "
            ~ "and (signature.id <> '0' or signature.mysqlType is not null)",
    })) }}
{% endmacro %}

{# Returns the mapping of JSON and of JSON-C, which differ in where a DELETE has its row. #}
{% macro _huawei_drs_json(slug, deleted_row, recognized_by) %}
    {{ return({
        'fields': 'mysqlType map<string, string>, id string, es string, ts string, database string, `table` string, type string, '
            ~ 'isDdl string, sql string, data array<map<string, string>>, `old` array<map<string, string>>, pkNames array<string>',
        'recognized_by': recognized_by,
        'required': {
            'type': slug ~ '.type',
            'isDdl': 'if(' ~ slug ~ ".isDdl in ('true', 'false'), true, null)",
            'database': slug ~ '.database',
            'table': slug ~ '.`table`',
            'id': slug ~ '.id',
            'es': kafka_cdc.epoch_timestamp(slug ~ '.es'),
        },
        'rejects': [
            {'condition': slug ~ '.isDdl <> if(' ~ slug ~ ".type in ('DDL', 'INIT_DDL'), 'true', 'false')",
             'detail': 'isDdl says otherwise than type.'},
            {'condition': slug ~ ".type = 'UPDATE' and coalesce(size(" ~ slug ~ '.`old`), -1) <> coalesce(size(' ~ slug ~ '.data), -1)',
             'detail': 'data and old have different numbers of rows.'},
        ],
        'rows': kafka_cdc.zip_rows(slug ~ '.`old`', slug ~ '.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mysql'",
            'source_tenant': 'null',
            'source_database': slug ~ '.database',
            'source_schema': 'null',
            'source_table': slug ~ '.`table`',
            'operation': kafka_cdc.map_operation(slug ~ '.type', {
                'INSERT': 'insert', 'UPDATE': 'update', 'DELETE': 'delete', 'INIT': 'snapshot', 'DDL': 'ddl', 'INIT_DDL': 'ddl',
            }),
            'operation_code': slug ~ '.type',
            'occurred_at': kafka_cdc.epoch_timestamp(slug ~ '.es'),
            'emitted_at': kafka_cdc.epoch_timestamp(slug ~ '.ts'),
            'source_sequence': 'case when ' ~ slug ~ '.id is not null then ' ~ kafka_cdc.sequence_array([slug ~ '.id']) ~ ' end',
            'key_columns': slug ~ '.pkNames',
            'before_row': kafka_cdc._canal_before_row(slug ~ '.type', deleted_row),
            'after_row': 'if(' ~ slug ~ ".type = 'DELETE', null, row.after_row)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': slug ~ '.mysqlType',
            'ddl_text': 'nullif(' ~ slug ~ ".sql, '')",
        },
    }) }}
{% endmacro %}
