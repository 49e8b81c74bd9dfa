{#
  Alibaba Cloud Data Transmission Service (DTS), Avro.

  It is the default of its tasks into Kafka and the format of its change tracking. The format
  covers inserts, updates, deletes, the full copy (INIT), DDL, transactions, heartbeats and other
  control records.
  Document: DTS, "Data formats in a message queue", "DTS Avro"; Record.avsc and the field
  converters of its subscription SDK and demos.

    {"id": 1700504, "sourceTimestamp": 1696984517, "sourcePosition": "75259@78",
     "source": {"sourceType": "MySQL", "version": "8.0.28"}, "operation": "INSERT",
     "objectName": "mydb.t1", "tags": {"pk_uk_info": "{\"PRIMARY\":[\"a\"]}",
                                       "readerThroughoutTime": "1696984517078"},
     "fields": [{"name": "a", "dataTypeNumber": 8}], "beforeImages": null,
     "afterImages": [{"precision": 8, "value": "1"}], …}

  Quirks
  * A payload is a bare record without a schema, base64 in raw.
  * There are two editions of the schema. The newer one ends in `bornTimestamp` (milliseconds or
    seconds), which is not used.
  * The older edition is read with a `bornTimestamp` of ten bytes appended. These bytes cannot
    complete a number that was cut off.
  * EmptyObject NONE means that the image lacks the column. EmptyObject NULL and null are SQL NULL.
  * Character values are decoded by their charset. Binary values and bytes become base64, except
    PostgreSQL's jsonb, whose bytes are its text.
  * Float values are the text of a double (1.1, 1.0E10).
  * Timestamp values are epoch seconds with six decimals (`1618239451.000000`).
  * DateTime values contain the parts that are present, also of zero dates, then the time zone if
    there is one (macro `date_time_text`).
  * `millis` is in microseconds for MySQL and PostgreSQL, else in nanoseconds. It is also in
    nanoseconds if the position contains `<->` (a physical log).
  * MySQL changes are ordered by their position, `offset@file`. Those of other sources are ordered
    by the offset in Kafka.
  * `id` is unique, but no document calls it an order.
  * `objectName` is `database[.schema].table`. A dot in a name is `\u002E`.
  * `dataTypeNumber` is the source's own number of the type (253 is MySQL's VARCHAR). It is used as
    the name of the type. Those of MySQL, PostgreSQL and Oracle are known.

  Limits
  * The topic needs an entry in `topics`: `auto` does not recognize Avro and rejects it as
    `invalid_json`. Landing from Kafka also needs `encoding: base64`.
  * Messages of MongoDB and Redis that have rows without `fields` are rejected.
  * Logical names of shards (l_db_name, l_tb_name) are not read: each shard is a table of its own.
  * Texts and bytes of more than 64 MB and arrays of more than a million items are rejected as
    `invalid_binary`.
  * Text in a character set that Java knows and Spark does not is decoded with `try_reflect`; text
    that contains U+FFFD counts as undecodable.
  * Numbers have no precision or scale in their column. Typed tables have decimal(38, 18).
  * The types of SQL Server, Db2, extensions and arrays stay text.
  * Copied rows (INIT) have no position, see "Full copies without a position" in
    docs/concepts/ddl-and-snapshots.md.
#}
{% macro format_alibaba_dts_avro() %}
    {{ return(kafka_cdc.get_alibaba_dts_avro_mapping('alibaba_dts_avro')) }}
{% endmacro %}
