{#
  Huawei Data Replication Service (DRS), JSON-C, of MySQL and TaurusDB.

  The format covers inserts, updates, deletes, DDL and the full copy (INIT, INIT_DDL).
  Document: Data Replication Service, "Kafka message format", JSON-C, the 2024 edition, which has a
  table of its fields. It shows no message.

    {"mysqlType": {"id": "int", "c5": "timestamp"}, "id": 27678, "es": 1624614714000,
     "ts": 1625058727990, "database": "test01", "table": "test", "type": "DELETE", "isDdl": false,
     "sql": "", "sqlType": {"id": 4, "c5": 93},
     "data": [{"id": "104", "c5": "2021-06-25 17:51:53"}], "old": null, "pkNames": ["id"]}

  Quirks
  * It differs from `huawei_drs_json` in two points. The row of a DELETE is in `data`, and a
    `timestamp` column is text without a time zone.
  * INIT and INIT_DDL are the full copy.
  * In the document's JSON example `old` of an UPDATE is the whole row before it. A partial `old`
    is merged over `data`.
  * `id` increases within one DRS task only. A new task restarts it: add an entry to
    `sequence_resets`.
  * A message looks like one of `huawei_drs_json` or of an older Canal server. `huawei_drs_json`
    finds the row of a DELETE in either array.

  Limits
  * `auto` reads these messages as `huawei_drs_json`. The rows are equal, and the Kafka offset orders
    the changes. A topic entry adds the right source_format, typed timestamps and the order by `id`.
#}
{% macro format_huawei_drs_json_c() %}
    {{ return(kafka_cdc.get_huawei_drs_json_mapping(
        slug='huawei_drs_json_c',
        deleted_row='row.after_row',
        recognized_by={'signature': {}, 'condition': 'false'},
    )) }}
{% endmacro %}
