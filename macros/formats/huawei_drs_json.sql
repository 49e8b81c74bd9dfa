{#
  Huawei Data Replication Service (DRS), JSON, of the MySQL family.

  The family is MySQL, TaurusDB, GaussDB(for MySQL) and DDM. The format covers inserts, updates,
  deletes, DDL and the full copy (INIT, INIT_DDL).
  Document: Data Replication Service, "Kafka message format", JSON, 2025-11 edition. The older
  edition lacks INIT and INIT_DDL.

    {"mysqlType": {"id": "int"}, "id": 27677, "es": 1624614713000, "ts": 1625058726990,
     "database": "test01", "table": "test ", "type": "UPDATE", "isDdl": false, "sql": "",
     "data": [{"id": "104"}], "old": [{"id": "103"}], "pkNames": ["id"]}

  Quirks
  * The document's UPDATE changes the key. `old` is the whole row before it (103), and row 103 is
    deleted.
  * A DELETE has its row in `old`. JSON-C and Canal have it in `data`. Both are read.
  * INIT and INIT_DDL are the full copy.
  * All values are text. `timestamp` columns are epoch seconds with a fraction. Values of binary
    and blob columns are signed bytes as Java prints them: "[106, -3]".
  * `id` increases within one DRS task only. A new task restarts it: add an entry to
    `sequence_resets`.
  * DDL may arrive in a topic of its own.
  * The table's name is kept as it is written, with its trailing space.
  * A partial `old` is merged over `data`, because a message may be Canal's, which has the same
    shape.
  * If no entry in `topics` names this format, the Kafka offset orders the changes, because `id` may be
    Canal's. Such an entry orders them by `id`.

  Limits
  * DRS requires `binlog_row_image=FULL`. If `binlog_row_image` of the topic is `minimal` or `noblob`,
    inserts and updates are rejected, because they may be Canal's.
  * INIT rows of a second full copy have no position. They sort before all changes and repair
    nothing until an entry of `sequence_resets` names their first message.
  * `auto` also reads messages of `huawei_drs_json_c` and rows of `tencent_dts_canal` as this format. So it
    does rows of Canal before 1.1.7 without a length in `mysqlType`, and rows of `ticdc_canal` without its
    extension. Map their topics.
#}
{% macro format_huawei_drs_json() %}
    {%- set recognized -%}
    signature.type is not null and signature.isDdl is not null and signature.id is not null
    and (signature.id <> '0' or signature.mysqlType is not null or signature.type = 'INIT_DDL')
    {%- endset -%}

    {%- set mapping = kafka_cdc.get_huawei_drs_json_mapping(
        slug='huawei_drs_json',
        deleted_row='coalesce(row.before_row, row.after_row)',
        recognized_by={
            'signature': {
                'type': 'string',
                'isDdl': 'string',
                'id': 'string',
                'mysqlType': 'string',
            },
            'condition': recognized,
        },
    ) -%}
    {{ return(dict(mapping, lookalikes=['huawei_drs_json_c', 'canal', 'tencent_dts_canal', 'ticdc_canal'])) }}
{% endmacro %}
