{#
  Tencent Cloud DTS, synchronization to Kafka, Canal JSON.

  The format covers the full copy (INIT), inserts, updates, deletes, TRUNCATE and other DDL, in both
  modes of compatibility.
  Document: Tencent Cloud DTS, "Canal Demo" (571/102285, January 2026). Its comparison with Canal and
  its first fields were read. Its samples and the type of the full copy were not reached: INIT comes
  from users' reports.

    {"data": [{"id": "1004", "first_name": "Anne Marie"}], "database": "inventory",
     "es": 1589373560000, "id": 9, "isDdl": false,
     "mysqlType": {"id": "int", "first_name": "varchar"}, "old": [{"first_name": "Anne"}],
     "pkNames": ["id"], "sql": "", "sqlType": null, "table": "customers", "ts": 1589373560798,
     "type": "UPDATE"}

  Quirks
  * The fields are those of Canal, except that `sqlType` is empty.
  * `id` rises and orders changes. Rows of one message are ordered by their place in it.
  * `type` INIT is a row of the full copy.
  * `old` contains what changed, or the whole row. Merged over `data` it gives the row before in
    either case.
  * `es` has whole seconds.
  * `type` decides what a message is. `isDdl` may be missing, and false for DDL without rows.
  * In the mode that is not fully compatible, binary values are hexadecimal text, and a TIMESTAMP is
    in UTC and ends with `+00:00`. Typed values are decoded in this way.
  * In the fully compatible mode both are as in Canal. No message shows the mode. Map such topics to
    the format `canal` to decode their binary values.

  Limits
  * `auto` does not recognize the format, because a message has the shape of Canal's.
  * Canal Protobuf is not read.
#}
{% macro format_tencent_dts_canal() %}
    {%- set statements = "('CREATE', 'ALTER', 'ERASE', 'TRUNCATE', 'RENAME', 'CINDEX', 'DINDEX')" -%}
    {%- set source_sequence = kafka_cdc.sequence_array(['tencent_dts_canal.id']) -%}

    {{ return({
        'fields': 'id string, database string, `table` string, pkNames array<string>, isDdl string, type string, '
            ~ 'es string, ts string, sql string, mysqlType map<string, string>, data array<map<string, string>>, '
            ~ '`old` array<map<string, string>>',
        'informational': ['mysqlType map<string, string>'],
        'recognized_by': {'signature': {}, 'condition': 'false'},
        'unordered_lookalike': {'format': 'canal', 'name': 'Canal'},
        'required': {
            'type': 'tencent_dts_canal.type',
            'database': 'tencent_dts_canal.database',
            'table': 'tencent_dts_canal.`table`',
        },
        'rejects': [
            {
                'condition': "tencent_dts_canal.isDdl = 'true' "
                    ~ "and tencent_dts_canal.type in ('INIT', 'INSERT', 'UPDATE', 'DELETE') "
                    ~ "or tencent_dts_canal.isDdl = 'false' and size(tencent_dts_canal.data) > 0 "
                    ~ 'and tencent_dts_canal.type in ' ~ statements,
                'detail': 'isDdl does not match type.',
            },
            {
                'condition': "tencent_dts_canal.type = 'UPDATE' "
                    ~ 'and coalesce(size(tencent_dts_canal.`old`), -1) <> size(tencent_dts_canal.data) '
                    ~ 'and size(tencent_dts_canal.data) > 0',
                'detail': 'data and old have different numbers of rows.',
            },
        ],
        'rows': kafka_cdc.zip_rows('tencent_dts_canal.`old`', 'tencent_dts_canal.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mysql'",
            'source_tenant': 'null',
            'source_database': 'tencent_dts_canal.database',
            'source_schema': 'null',
            'source_table': 'tencent_dts_canal.`table`',
            'operation': kafka_cdc.map_operation(
                'tencent_dts_canal.type', dict(kafka_cdc.get_canal_operations(), INIT='snapshot')
            ),
            'operation_code': 'tencent_dts_canal.type',
            'occurred_at': kafka_cdc.epoch_timestamp('tencent_dts_canal.es'),
            'emitted_at': kafka_cdc.epoch_timestamp('tencent_dts_canal.ts'),
            'source_sequence': source_sequence,
            'key_columns': 'tencent_dts_canal.pkNames',
            'before_row': kafka_cdc.canal_before_row('tencent_dts_canal.type'),
            'after_row': "if(tencent_dts_canal.type = 'DELETE', null, row.after_row)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'tencent_dts_canal.mysqlType',
            'ddl_text': "nullif(tencent_dts_canal.sql, '')",
        },
    }) }}
{% endmacro %}
