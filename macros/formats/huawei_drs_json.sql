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
    {{ return(kafka_cdc.get_huawei_drs_json('huawei_drs_json', 'coalesce(row.before_row, row.after_row)', {
        'signature': {'type': 'string', 'isDdl': 'string', 'id': 'string', 'mysqlType': 'map<string, string>'},
        'condition': "signature.type is not null and signature.isDdl is not null and signature.id is not null "
            ~ "and (signature.id <> '0' or signature.mysqlType is not null)",
    })) }}
{% endmacro %}
