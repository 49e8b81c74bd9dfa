{#
  Huawei DRS, JSON-C, of MySQL and TaurusDB.
  Document: Data Replication Service, "Kafka message format", JSON-C, the edition that prints its table (2024); it prints no message.

    {"mysqlType": {"id": "int", "c5": "timestamp"}, "id": 27678, "es": 1624614714000, "ts": 1625058727990,
     "database": "test01", "table": "test", "type": "DELETE", "isDdl": false, "sql": "", "sqlType": {"id": 4, "c5": 93},
     "data": [{"id": "104", "c5": "2021-06-25 17:51:53"}], "old": null, "pkNames": ["id"]}

  Quirks
  * As huawei_drs_json, but the row of a DELETE is in `data`, and a timestamp is text without a zone. INIT and INIT_DDL are the full copy.
  * `old` of an UPDATE is the whole row before in the document's JSON example; one that says less is laid over `data`.
  * `id` grows within one DRS task only; a new task starts anew (setting sequence_resets).
  * One message cannot be told from huawei_drs_json's, nor from those of older Canal servers: `auto` reads it as huawei_drs_json, which
    finds the row of a DELETE in either place. Map the topic where the format's name matters.
#}
{% macro format_huawei_drs_json_c() %}
    {{ return(kafka_cdc.get_huawei_drs_json('huawei_drs_json_c', 'row.after_row', {'signature': {}, 'condition': 'false'})) }}
{% endmacro %}
