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
  * `id` grows within one DRS task only; a new task starts anew (setting epochs). DDL may come through a topic of its own.
  * The table's name is kept as written, trailing space included.
  * One message cannot be told from Canal's, so canal's partial `old` is laid over `data` as canal means it.
#}
{% macro format_huawei_drs_json() %}
    {{ return({
        'fields': 'mysqlType map<string, string>, id string, es string, ts string, database string, `table` string, type string, '
            ~ 'isDdl string, sql string, data array<map<string, string>>, `old` array<map<string, string>>, pkNames array<string>',
        'recognised_by': {
            'signature': {'type': 'string', 'isDdl': 'string', 'id': 'string', 'mysqlType': 'map<string, string>'},
            'condition': "signature.type is not null and signature.isDdl is not null and signature.id is not null "
                ~ "and (signature.id <> '0' or signature.mysqlType is not null)",
        },
        'required': {
            'type': 'huawei_drs_json.type',
            'isDdl': "if(huawei_drs_json.isDdl in ('true', 'false'), true, null)",
            'database': 'huawei_drs_json.database',
            'table': 'huawei_drs_json.`table`',
            'id': 'huawei_drs_json.id',
            'es': epoch_timestamp('huawei_drs_json.es'),
        },
        'rejects': [
            {'condition': "huawei_drs_json.isDdl <> if(huawei_drs_json.type in ('DDL', 'INIT_DDL'), 'true', 'false')",
             'detail': 'isDdl says otherwise than type.'},
            {'condition': "huawei_drs_json.type = 'UPDATE' and coalesce(size(huawei_drs_json.`old`), -1) <> coalesce(size(huawei_drs_json.data), -1)",
             'detail': 'data and old have different numbers of rows.'},
        ],
        'rows': zip_rows('huawei_drs_json.`old`', 'huawei_drs_json.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mysql'",
            'source_tenant': 'null',
            'source_database': 'huawei_drs_json.database',
            'source_schema': 'null',
            'source_table': 'huawei_drs_json.`table`',
            'operation': known_operation('huawei_drs_json.type', {
                'INSERT': 'insert', 'UPDATE': 'update', 'DELETE': 'delete', 'INIT': 'snapshot', 'DDL': 'ddl', 'INIT_DDL': 'ddl',
            }),
            'operation_code': 'huawei_drs_json.type',
            'occurred_at': epoch_timestamp('huawei_drs_json.es'),
            'emitted_at': epoch_timestamp('huawei_drs_json.ts'),
            'source_sequence': 'case when huawei_drs_json.id is not null then ' ~ sequence_of(['huawei_drs_json.id']) ~ ' end',
            'key_columns': 'huawei_drs_json.pkNames',
            'before_row': "case huawei_drs_json.type when 'UPDATE' then " ~ overlay_row('row.after_row', 'row.before_row')
                ~ " when 'DELETE' then coalesce(row.before_row, row.after_row) end",
            'after_row': "if(huawei_drs_json.type = 'DELETE', null, row.after_row)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'huawei_drs_json.mysqlType',
            'ddl_text': "nullif(huawei_drs_json.sql, '')",
        },
    }) }}
{% endmacro %}
