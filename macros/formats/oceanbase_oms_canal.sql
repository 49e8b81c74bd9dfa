{#
  OceanBase Migration Service (also Alibaba's data transmission for ApsaraDB for OceanBase), serialization Canal.
  Document: OMS, "Data formats", Canal JSON message format.

    {"database": "database", "sqlType": {"col1": 4, "col2": 12}, "data": [{"col1": 3, "col2": "hello world 2020"}],
     "pkNames": ["col1"], "old": [{"col2": "hello world"}], "mysqlType": {"col1": "int", "col2": "varchar"},
     "type": "UPDATE", "table": "table", "es": 1609344671000, "isDdl": false, "ts": 1618364572908, "sql": ""}

  Quirks
  * No `id`: by that `auto` tells it from Canal's own messages, and the Kafka offset is the only order.
  * Numbers are JSON numbers with the database's digits (1.10, 10223372036854775806, 771 digits); bytes base64, timestamps epoch seconds.
  * `old` holds only what changed, and only in UPDATE; the row of a DELETE is in `data`. ROW is a row of the full copy, which
    nothing dates: its es may be missing.
  * No DDL: `sql` is empty. The database's name comes without its tenant.
  * mysqlType has OMS's own words too: int64 for a bigint.
#}
{% macro format_oceanbase_oms_canal() %}
    {{ return({
        'fields': 'database string, `table` string, pkNames array<string>, isDdl string, type string, es string, ts string, '
            ~ 'mysqlType map<string, string>, data array<map<string, string>>, `old` array<map<string, string>>',
        'recognized_by': {
            'signature': {'type': 'string', 'isDdl': 'string', 'id': 'string'},
            'condition': 'signature.type is not null and signature.isDdl is not null and signature.id is null '
                ~ "and not map_contains_key(from_json(value, 'map<string, string>', " ~ kafka_cdc.get_json_options() ~ "), 'id')",
        },
        'required': {
            'type': 'oceanbase_oms_canal.type',
            'isDdl': "if(oceanbase_oms_canal.isDdl in ('true', 'false'), true, null)",
            'database': 'oceanbase_oms_canal.database',
            'table': 'oceanbase_oms_canal.`table`',
            'es': "if(oceanbase_oms_canal.type = 'ROW', timestamp_seconds(0), " ~ kafka_cdc.epoch_timestamp('oceanbase_oms_canal.es') ~ ')',
        },
        'rejects': [
            {'condition': "oceanbase_oms_canal.isDdl = 'true' and oceanbase_oms_canal.type in ('INSERT', 'UPDATE', 'DELETE', 'ROW')",
             'detail': 'isDdl says otherwise than type.'},
            {'condition': "oceanbase_oms_canal.type = 'UPDATE' and coalesce(size(oceanbase_oms_canal.`old`), -1) <> size(oceanbase_oms_canal.data) "
                ~ 'and size(oceanbase_oms_canal.data) > 0',
             'detail': 'data and old have different numbers of rows.'},
        ],
        'rows': kafka_cdc.zip_rows('oceanbase_oms_canal.`old`', 'oceanbase_oms_canal.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'oceanbase_oms_canal.database',
            'source_schema': 'null',
            'source_table': 'oceanbase_oms_canal.`table`',
            'operation': kafka_cdc.map_operation('oceanbase_oms_canal.type', {'INSERT': 'insert', 'UPDATE': 'update', 'DELETE': 'delete', 'ROW': 'snapshot'}),
            'operation_code': 'oceanbase_oms_canal.type',
            'occurred_at': kafka_cdc.epoch_timestamp('oceanbase_oms_canal.es'),
            'emitted_at': kafka_cdc.epoch_timestamp('oceanbase_oms_canal.ts'),
            'source_sequence': 'null',
            'key_columns': 'oceanbase_oms_canal.pkNames',
            'before_row': kafka_cdc.canal_before_row('oceanbase_oms_canal.type'),
            'after_row': "if(oceanbase_oms_canal.type = 'DELETE', null, row.after_row)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'oceanbase_oms_canal.mysqlType',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
