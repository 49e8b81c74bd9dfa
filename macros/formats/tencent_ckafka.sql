{#
  Tencent CKafka connector, MySQL subscription: official format 1, whose DDL has the shape of canal, in the same topic.
  Document: CKafka, "Official format of MySQL subscription messages" (597/83344); "canal format" (597/83345) describes that shape.

    {"BINLOG_NAME": "mysql-bin.000003", "BINLOG_POS": 484, "DATABASE": "inventory", "EVENT_SERVER_ID": null, "GLOBAL_ID": null, "GROUP_ID": null,
     "NEW_VALUES": {"id": "1004", "first_name": "Anne Marie"}, "OLD_VALUES": {"id": "1004", "first_name": "Anne"},
     "TABLE": "customers", "TIME": "20160611015029", "TYPE": "U"}
    {"data": null, "database": "test", "es": 1655782153, "id": 0, "isDdl": true, "mysqlType": null, "old": null, "pkNames": null,
     "sql": "ALTER TABLE `user` ADD COLUMN ...", "sqlType": null, "table": "user", "ts": 1655782153, "type": "ALTER"}

  Quirks
  * No message names a key: set `key` of the topic or of the table. Both images are whole rows, in the shape of canal too.
  * TIME is UTC+8 (setting timezone: another zone). An I at the epoch, 19700101080000, is a row of the snapshot, without a time.
  * BINLOG_NAME's number and BINLOG_POS order, rows of one event share them. After a failover they start anew (setting sequence_resets).
  * es and ts are seconds or milliseconds. RENAME names the new table. CREATE TABLE holds raw line ends inside its text.
  * The document's field table prints the insert's type as a small L; its example has I. The small L is not read.
  * DDL of TiCDC without its extension looks the same (id 0, no mysqlType): map such topics.
#}
{% macro format_tencent_ckafka() %}
    {%- set statements = "('QUERY', 'CREATE', 'ALTER', 'ERASE', 'TRUNCATE', 'RENAME', 'CINDEX', 'DINDEX')" -%}
    {%- set position = kafka_cdc.sequence_array(["regexp_extract(tencent_ckafka.BINLOG_NAME, r'([0-9]+)\\z', 1)", 'tencent_ckafka.BINLOG_POS']) -%}
    {{ return({
        'fields': 'BINLOG_NAME string, BINLOG_POS string, `DATABASE` string, `TABLE` string, `TIME` string, `TYPE` string, '
            ~ 'NEW_VALUES map<string, string>, OLD_VALUES map<string, string>',
        'variables': {
            'flat': 'if(tencent_ckafka.BINLOG_NAME is null and tencent_ckafka.`TYPE` is null, ' ~ kafka_cdc.read_json_object('guarded_value', 'sentinel', 'database string, `table` string, '
                ~ 'isDdl string, type string, es string, ts string, sql string, data array<map<string, string>>, `old` array<map<string, string>>') ~ ', null)',
            'written': "if(tencent_ckafka.`TIME` rlike r'^[0-9]{14}\\z', regexp_replace(tencent_ckafka.`TIME`, '(....)(..)(..)(..)(..)(..)', '$1-$2-$3 $4:$5:$6'), null)",
            'written_at': kafka_cdc.instant_of('written', "coalesce(settings.timezone, 'Asia/Shanghai')"),
            'code': 'coalesce(tencent_ckafka.`TYPE`, flat.type)',
        },
        'recognized_by': {
            'signature': {'BINLOG_NAME': 'string', 'type': 'string', 'isDdl': 'string', 'id': 'string', 'mysqlType': 'map<string, string>'},
            'condition': "signature.BINLOG_NAME is not null or signature.type is not null and signature.isDdl is not null and signature.id = '0' "
                ~ 'and signature.mysqlType is null',
        },
        'required': {
            'TYPE': 'code',
            'DATABASE': 'coalesce(tencent_ckafka.`DATABASE`, flat.database)',
            'TABLE': 'coalesce(tencent_ckafka.`TABLE`, flat.`table`)',
            'BINLOG_NAME': "if(flat is null, tencent_ckafka.BINLOG_NAME, '')",
            'BINLOG_POS': "if(flat is null, tencent_ckafka.BINLOG_POS, '')",
            'TIME': "if(flat is null, cast(try_cast(written as timestamp_ntz) as string), '')",
            'OLD_VALUES': "if(tencent_ckafka.`TYPE` = 'U' and tencent_ckafka.OLD_VALUES is null, null, true)",
            'isDdl': "if(flat is null or flat.isDdl in ('true', 'false'), true, null)",
            'es': 'if(flat is null, timestamp_seconds(0), ' ~ kafka_cdc._tencent_ckafka_epoch('flat.es') ~ ')',
        },
        'rejects': [
            {'condition': "code = 'I' and tencent_ckafka.OLD_VALUES is not null or code = 'D' and tencent_ckafka.NEW_VALUES is not null",
             'detail': 'NEW_VALUES and OLD_VALUES say otherwise than TYPE.'},
            {'condition': "flat.isDdl = 'true' and code in ('INSERT', 'UPDATE', 'DELETE') or flat.isDdl = 'false' and code in " ~ statements,
             'detail': 'isDdl says otherwise than type.'},
            {'condition': "code = 'UPDATE' and coalesce(size(flat.`old`), -1) <> coalesce(size(flat.data), -1)",
             'detail': 'data and old have different numbers of rows.'},
        ],
        'rows': 'if(flat is null, ' ~ kafka_cdc.zip_rows('array(tencent_ckafka.OLD_VALUES)', 'array(tencent_ckafka.NEW_VALUES)') ~ ', ' ~ kafka_cdc.zip_rows('flat.`old`', 'flat.data') ~ ')',
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mysql'",
            'source_tenant': 'null',
            'source_database': 'coalesce(tencent_ckafka.`DATABASE`, flat.database)',
            'source_schema': 'null',
            'source_table': 'coalesce(tencent_ckafka.`TABLE`, flat.`table`)',
            'operation': "if(code = 'I' and written_at = timestamp_seconds(0), 'snapshot', if(flat is null, "
                ~ kafka_cdc.map_operation('code', {'I': 'insert', 'U': 'update', 'D': 'delete'}) ~ ', '
                ~ kafka_cdc.map_operation('code', kafka_cdc.get_canal_operations()) ~ '))',
            'operation_code': 'code',
            'occurred_at': 'coalesce(if(written_at = timestamp_seconds(0), null, written_at), ' ~ kafka_cdc._tencent_ckafka_epoch('flat.es') ~ ')',
            'emitted_at': kafka_cdc._tencent_ckafka_epoch('flat.ts'),
            'source_sequence': 'if(flat is null, ' ~ position ~ ', null)',
            'key_columns': 'null',
            'before_row': "if(code = 'DELETE', coalesce(row.after_row, row.before_row), row.before_row)",
            'after_row': "if(code = 'DELETE', null, row.after_row)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': "nullif(flat.sql, '')",
        },
    }) }}
{% endmacro %}

{# Prints SQL for the timestamp of an epoch in seconds (10 digits) or milliseconds (13 digits). #}
{% macro _tencent_ckafka_epoch(text) -%}
    if(length({{ text }}) > 11, {{ kafka_cdc.epoch_timestamp(text) }}, {{ kafka_cdc.epoch_timestamp(text, 's') }})
{%- endmacro %}
