{#
  Tencent CKafka connector, MySQL subscription, official format 1.

  Its DDL arrives in the same topic in the shape of Canal. The format covers inserts, updates,
  deletes, the full copy, TRUNCATE and other DDL.
  Document: CKafka, "Official format of MySQL subscription messages" (597/83344); "canal format"
  (597/83345) describes the shape of the DDL.

    {"BINLOG_NAME": "mysql-bin.000003", "BINLOG_POS": 484, "DATABASE": "inventory",
     "EVENT_SERVER_ID": null, "GLOBAL_ID": null, "GROUP_ID": null,
     "NEW_VALUES": {"id": "1004", "first_name": "Anne Marie"},
     "OLD_VALUES": {"id": "1004", "first_name": "Anne"},
     "TABLE": "customers", "TIME": "20160611015029", "TYPE": "U"}
    {"data": null, "database": "test", "es": 1655782153, "id": 0, "isDdl": true, "mysqlType": null,
     "old": null, "pkNames": null, "sql": "ALTER TABLE `user` ADD COLUMN ...", "sqlType": null,
     "table": "user", "ts": 1655782153, "type": "ALTER"}

  Quirks
  * Both images are whole rows, also in the shape of Canal.
  * TIME is UTC+8, unless `topics[].timezone` names another zone.
  * An I at the epoch (19700101080000) is a row of the full copy and has no time.
  * The number in BINLOG_NAME and BINLOG_POS order changes. Rows of one event have the same
    position.
  * After a failover the positions restart: add an entry to `sequence_resets`.
  * `es` and `ts` are in seconds or milliseconds.
  * A RENAME names the new table.
  * The text of a CREATE TABLE contains unescaped line breaks.
  * The document's table of fields prints the insert's type as a small L. Its example has I. The
    small L is not read.
  * `auto` recognizes rows by BINLOG_NAME, and messages in the shape of Canal by `id` 0 without
    `mysqlType` and `pkNames`. DDL of TiCDC without its extension looks the same: map such topics.

  Limits
  * "Official format 2" is described nowhere. It is not read.
  * Messages name no key: set `key`.
  * Messages write times without a zone: `topics[].timezone` names it (default Asia/Shanghai).
    `occurred_at` is null in an hour that the clock repeats or skips.
#}
{% macro format_tencent_ckafka() %}
    {%- set statements = "('QUERY', 'CREATE', 'ALTER', 'ERASE', 'TRUNCATE', 'RENAME', 'CINDEX', 'DINDEX')" -%}
    {%- set is_snapshot = "code = 'I' and time_instant = timestamp_seconds(0)" -%}

    {#- A message in the shape of Canal, null for the vendor's own shape. -#}
    {%- set flat_fields = 'database string, `table` string, isDdl string, type string, es string, ts string, '
        ~ 'sql string, data array<map<string, string>>, `old` array<map<string, string>>' -%}
    {%- set flat -%}
    if(
        tencent_ckafka.BINLOG_NAME is null and tencent_ckafka.`TYPE` is null,
        {{ kafka_cdc.read_json_object('guarded_value', 'sentinel', flat_fields) | indent(8) }},
        null
    )
    {%- endset -%}

    {%- set time_text -%}
    if(
        tencent_ckafka.`TIME` rlike r'^[0-9]{14}\z',
        regexp_replace(tencent_ckafka.`TIME`, '(....)(..)(..)(..)(..)(..)', '$1-$2-$3 $4:$5:$6'),
        null
    )
    {%- endset -%}

    {%- set recognized -%}
    signature.BINLOG_NAME is not null
    or signature.type is not null and signature.isDdl is not null and signature.id = '0'
    and signature.type <> 'INIT_DDL'
    and coalesce(signature.mysqlType, signature.gtid, signature.pkNames) is null
    and not coalesce(startswith(signature.data, '{'), false)
    {%- endset -%}

    {%- set wrong_values -%}
    code = 'I' and tencent_ckafka.OLD_VALUES is not null or code = 'D' and tencent_ckafka.NEW_VALUES is not null
    {%- endset -%}

    {%- set wrong_is_ddl -%}
    flat.isDdl = 'true' and code in ('INSERT', 'UPDATE', 'DELETE') or flat.isDdl = 'false' and code in {{ statements }}
    {%- endset -%}

    {%- set different_counts -%}
    code = 'UPDATE' and coalesce(size(flat.`old`), -1) <> coalesce(size(flat.data), -1)
    {%- endset -%}

    {%- set rows -%}
    if(
        flat is null,
        {{ kafka_cdc.zip_rows('array(tencent_ckafka.OLD_VALUES)', 'array(tencent_ckafka.NEW_VALUES)') | indent(8) }},
        {{ kafka_cdc.zip_rows('flat.`old`', 'flat.data') | indent(8) }}
    )
    {%- endset -%}

    {%- set operation -%}
    if(
        {{ is_snapshot }},
        'snapshot',
        if(
            flat is null,
            {{ kafka_cdc.map_operation('code', {'I': 'insert', 'U': 'update', 'D': 'delete'}) }},
            {{ kafka_cdc.map_operation('code', kafka_cdc.get_canal_operations()) }}
        )
    )
    {%- endset -%}

    {%- set occurred_at -%}
    coalesce(
        if(time_instant = timestamp_seconds(0), null, time_instant),
        {{ kafka_cdc._tencent_ckafka_epoch('flat.es') | indent(8) }}
    )
    {%- endset -%}

    {%- set file_number = kafka_cdc.binlog_file_number('tencent_ckafka.BINLOG_NAME') -%}
    {%- set source_sequence -%}
    if(
        flat is null,
        {{ kafka_cdc.sequence_array([file_number, 'tencent_ckafka.BINLOG_POS']) | indent(8) }},
        null
    )
    {%- endset -%}

    {{ return({
        'fields': 'BINLOG_NAME string, BINLOG_POS string, `DATABASE` string, `TABLE` string, `TIME` string, '
            ~ '`TYPE` string, NEW_VALUES map<string, string>, OLD_VALUES map<string, string>',
        'variables': {
            'flat': flat,
            'time_text': time_text,
            'time_instant': kafka_cdc.instant_of('time_text', "coalesce(settings.timezone, 'Asia/Shanghai')"),
            'code': 'coalesce(tencent_ckafka.`TYPE`, flat.type)',
        },
        'recognized_by': {
            'signature': {
                'BINLOG_NAME': 'string',
                'type': 'string',
                'isDdl': 'string',
                'id': 'string',
                'mysqlType': 'string',
                'gtid': 'string',
                'pkNames': 'string',
                'data': 'string',
            },
            'condition': recognized,
        },
        'required': {
            'TYPE': 'code',
            'DATABASE': 'coalesce(tencent_ckafka.`DATABASE`, flat.database)',
            'TABLE': 'coalesce(tencent_ckafka.`TABLE`, flat.`table`)',
            'OLD_VALUES': "if(tencent_ckafka.`TYPE` = 'U' and tencent_ckafka.OLD_VALUES is null, null, true)",
            'isDdl': "if(flat.isDdl is null or flat.isDdl in ('true', 'false'), true, null)",
        },
        'rejects': [
            {
                'condition': wrong_values,
                'detail': 'NEW_VALUES and OLD_VALUES do not match TYPE.',
            },
            {
                'condition': wrong_is_ddl,
                'detail': 'isDdl does not match type.',
            },
            {
                'condition': different_counts,
                'detail': 'data and old have different numbers of rows.',
            },
        ],
        'rows': rows,
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mysql'",
            'source_tenant': 'null',
            'source_database': 'coalesce(tencent_ckafka.`DATABASE`, flat.database)',
            'source_schema': 'null',
            'source_table': 'coalesce(tencent_ckafka.`TABLE`, flat.`table`)',
            'operation': operation,
            'operation_code': 'code',
            'occurred_at': occurred_at,
            'emitted_at': kafka_cdc._tencent_ckafka_epoch('flat.ts'),
            'source_sequence': source_sequence,
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

{# Prints an expression: the timestamp of an epoch in seconds or milliseconds (10 or 13 digits). #}
{% macro _tencent_ckafka_epoch(text) -%}
    if(
        length({{ text }}) > 11,
        {{ kafka_cdc.epoch_timestamp(text) | indent(8) }},
        {{ kafka_cdc.epoch_timestamp(text, 's') | indent(8) }}
    )
{%- endmacro %}
