{#
  Huawei DRS, JSON-C, of MySQL and TaurusDB.
  Document: Data Replication Service, "Kafka message format", JSON-C, the edition that prints its table (2024); it prints no message.

    {"mysqlType": {"id": "int", "c5": "timestamp"}, "id": 27678, "es": 1624614714000, "ts": 1625058727990,
     "database": "test01", "table": "test", "type": "DELETE", "isDdl": false, "sql": "", "sqlType": {"id": 4, "c5": 93},
     "data": [{"id": "104", "c5": "2021-06-25 17:51:53"}], "old": null, "pkNames": ["id"]}

  Quirks
  * As huawei_drs_json, but the row of a DELETE is in `data`, and a timestamp is text without a zone. INIT and INIT_DDL are the full copy.
  * `old` of an UPDATE is the whole row before in the document's JSON example; one that says less is laid over `data`.
  * `id` grows within one DRS task only; a new task starts anew (setting epochs).
  * One message cannot be told from huawei_drs_json's, nor from those of older Canal servers: `auto` reads it as huawei_drs_json, which
    finds the row of a DELETE in either place. Map the topic where the format's name matters.
#}
{% macro format_huawei_drs_json_c() %}
    {{ return({
        'fields': 'mysqlType map<string, string>, id string, es string, ts string, database string, `table` string, type string, '
            ~ 'isDdl string, sql string, data array<map<string, string>>, `old` array<map<string, string>>, pkNames array<string>',
        'recognised_by': {'signature': {}, 'condition': 'false'},
        'required': {
            'type': 'huawei_drs_json_c.type',
            'isDdl': "if(huawei_drs_json_c.isDdl in ('true', 'false'), true, null)",
            'database': 'huawei_drs_json_c.database',
            'table': 'huawei_drs_json_c.`table`',
            'id': 'huawei_drs_json_c.id',
            'es': epoch_timestamp('huawei_drs_json_c.es'),
        },
        'rejects': [
            {'condition': "huawei_drs_json_c.isDdl <> if(huawei_drs_json_c.type in ('DDL', 'INIT_DDL'), 'true', 'false')",
             'detail': 'isDdl says otherwise than type.'},
            {'condition': "huawei_drs_json_c.type = 'UPDATE' and coalesce(size(huawei_drs_json_c.`old`), -1) <> coalesce(size(huawei_drs_json_c.data), -1)",
             'detail': 'data and old have different numbers of rows.'},
        ],
        'rows': zip_rows('huawei_drs_json_c.`old`', 'huawei_drs_json_c.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mysql'",
            'source_tenant': 'null',
            'source_database': 'huawei_drs_json_c.database',
            'source_schema': 'null',
            'source_table': 'huawei_drs_json_c.`table`',
            'operation': known_operation('huawei_drs_json_c.type', {
                'INSERT': 'insert', 'UPDATE': 'update', 'DELETE': 'delete', 'INIT': 'snapshot', 'DDL': 'ddl', 'INIT_DDL': 'ddl',
            }),
            'operation_code': 'huawei_drs_json_c.type',
            'occurred_at': epoch_timestamp('huawei_drs_json_c.es'),
            'emitted_at': epoch_timestamp('huawei_drs_json_c.ts'),
            'source_sequence': 'case when huawei_drs_json_c.id is not null then ' ~ sequence_of(['huawei_drs_json_c.id']) ~ ' end',
            'key_columns': 'huawei_drs_json_c.pkNames',
            'before_row': "case huawei_drs_json_c.type when 'UPDATE' then " ~ overlay_row('row.after_row', 'row.before_row')
                ~ " when 'DELETE' then row.after_row end",
            'after_row': "if(huawei_drs_json_c.type = 'DELETE', null, row.after_row)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'huawei_drs_json_c.mysqlType',
            'ddl_text': "nullif(huawei_drs_json_c.sql, '')",
        },
    }) }}
{% endmacro %}
