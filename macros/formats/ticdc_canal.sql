{#
  TiCDC, the change feed of TiDB, protocol canal-json.

  The format covers inserts, updates, deletes, TRUNCATE and other DDL, and watermarks.
  Document: TiDB, "TiCDC Canal-JSON Protocol", v8.5; "Sync Data to Kafka" for messages that contain
  only the handle key.

    {"id": 0, "database": "test", "table": "tp_int", "pkNames": ["id"], "isDdl": false,
     "type": "INSERT", "es": 1639633141221, "ts": 1639633142960, "sql": "",
     "sqlType": {"id": 4, "c_int": 4}, "mysqlType": {"id": "int", "c_int": "int"},
     "data": [{"id": "2", "c_int": "2147483647"}], "old": null,
     "_tidb": {"commitTs": 429918007904436226}}

  Quirks
  * `_tidb` and watermarks exist only with `enable-tidb-extension=true`.
  * `commitTs` orders changes. Without it the Kafka offset does.
  * `old` is the whole row before an update. With `only-output-updated-columns` or
    `content-compatible` it is only what changed. Merged over `data` it gives the row before in
    either case.
  * The row of a DELETE is in `data`, which may contain only its handle key.
  * A row that is too large for a message has only its handle key (`onlyHandleKey`,
    `claimCheckLocation`). Its other columns are unknown, and its types are not the table's.
  * The missing columns of such a row are listed in `incomplete_columns` until a later message
    contains the whole row.
  * Delivery is at least once. A repeated `commitTs` is the same change again.
  * The changes of a transaction share `commitTs`. A transaction changes a row once, or it deletes and
    writes it. Deletes come first, and so do old keys.
  * Bytes are Latin-1 text. ENUM and SET are numbers.

  Limits
  * Without TiCDC's extension `auto` reads rows as `huawei_drs_json` and DDL as `tencent_ckafka`.
    Map the topic. Otherwise a TRUNCATE or DROP is read as another source than the rows, and their
    table is held (`statement_of_another_source`). TiCDC's words for DDL are unknown. The rows and
    their order are the same, because the offset orders them.
  * With `scheduler.enable-table-across-nodes` several nodes write one table, and `commitTs` falls.
    `es` is the time of `commitTs`, so that such changes are late ones and hold no table for long.
  * TiCDC's new architecture before v8.5.5 may write the text `null` as null.
#}
{% macro format_ticdc_canal() %}
    {%- set statements = "('QUERY', 'CREATE', 'ALTER', 'ERASE', 'TRUNCATE', 'RENAME', 'CINDEX', 'DINDEX')" -%}

    {%- set has_only_key -%}
    coalesce(ticdc_canal._tidb.onlyHandleKey = 'true', false)
    or coalesce(ticdc_canal._tidb.claimCheckLocation, '') <> ''
    {%- endset -%}

    {%- set source_sequence -%}
    case
        when ticdc_canal._tidb is not null and coalesce(ticdc_canal.type, '') <> 'TIDB_WATERMARK'
            then {{ kafka_cdc.sequence_array(['ticdc_canal._tidb.commitTs']) }}
    end
    {%- endset -%}

    {{ return({
        'fields': 'database string, `table` string, pkNames array<string>, isDdl string, type string, es string, '
            ~ 'ts string, sql string, mysqlType map<string, string>, data array<map<string, string>>, '
            ~ '`old` array<map<string, string>>, '
            ~ '_tidb struct<commitTs string, onlyHandleKey string, claimCheckLocation string>',
        'informational': ['mysqlType map<string, string>'],
        'variables': {
            'has_only_key': has_only_key,
        },
        'recognized_by': {
            'signature': {
                'type': 'string',
                '_tidb': {'commitTs': 'string', 'watermarkTs': 'string'},
            },
            'condition': 'signature.type is not null and signature._tidb is not null',
            'instead_of': ['tencent_ckafka', 'oceanbase_oms_canal', 'canal', 'huawei_drs_json'],
        },
        'deletes_first': 'true',
        'required': {
            'type': 'ticdc_canal.type',
            'isDdl': "if(ticdc_canal.isDdl is null or ticdc_canal.isDdl in ('true', 'false'), true, null)",
            'database': "if(ticdc_canal.type = 'TIDB_WATERMARK', '', ticdc_canal.database)",
            'table': "if(ticdc_canal.type = 'TIDB_WATERMARK', '', ticdc_canal.`table`)",
        },
        'rejects': [
            {
                'condition': "ticdc_canal.isDdl = 'true' "
                    ~ "and ticdc_canal.type in ('INSERT', 'UPDATE', 'DELETE', 'TIDB_WATERMARK') "
                    ~ "or ticdc_canal.isDdl = 'false' and ticdc_canal.type in " ~ statements,
                'detail': 'isDdl does not match type.',
            },
            {
                'condition': "ticdc_canal.type = 'UPDATE' "
                    ~ 'and coalesce(size(ticdc_canal.`old`), -1) <> size(ticdc_canal.data) '
                    ~ 'and size(ticdc_canal.data) > 0',
                'detail': 'data and old have different numbers of rows.',
            },
        ],
        'rows': kafka_cdc.zip_rows('ticdc_canal.`old`', 'ticdc_canal.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': "'tidb'",
            'source_tenant': 'null',
            'source_database': 'ticdc_canal.database',
            'source_schema': 'null',
            'source_table': 'ticdc_canal.`table`',
            'operation': kafka_cdc.map_operation(
                'ticdc_canal.type',
                dict(kafka_cdc.get_canal_operations(), TIDB_WATERMARK='heartbeat')
            ),
            'operation_code': 'ticdc_canal.type',
            'occurred_at': kafka_cdc.epoch_timestamp('ticdc_canal.es'),
            'emitted_at': kafka_cdc.epoch_timestamp('ticdc_canal.ts'),
            'source_sequence': source_sequence,
            'key_columns': 'ticdc_canal.pkNames',
            'before_row': kafka_cdc.canal_before_row('ticdc_canal.type'),
            'after_row': "if(ticdc_canal.type = 'DELETE', null, row.after_row)",
            'image': "if(has_only_key, 'key', 'full')",
            'removed_columns': 'null',
            'column_types': 'if(has_only_key, null, ticdc_canal.mysqlType)',
            'ddl_text': "nullif(ticdc_canal.sql, '')",
        },
    }) }}
{% endmacro %}
