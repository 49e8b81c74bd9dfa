{#
  Huawei DRS, Avro. A stand-in: nobody here has seen the schema or a message of it.
  Document: Data Replication Service, "Kafka message format", avro; it links the schema, record.avsc, in an archive (record.rar) and prints nothing.

    {"id": 7, "operation": "INSERT", "objectName": "test01.t", "fields": [{"name": "id", "dataTypeNumber": 3}],
     "beforeImages": null, "afterImages": [{"precision": 4, "value": "104"}], …}

  Quirks
  * The sample is no vendor's: it is what alibaba_dts_avro reads, the closest published relative of that name. A payload is read only
    where its bytes are exactly one such record, base64 in raw; all others are in quarantine, whole, until the schema is here.
  * Who has record.avsc compares it with that of alibaba_dts_avro, gives this format a mapping of its own where they differ, and replays.
  * Types stay text in typed tables: what its dataTypeNumber means is not known.
#}
{% macro format_huawei_drs_avro() %}
    {{ return(dict(
        kafka_cdc.format_alibaba_dts_avro('huawei_drs_avro'),
        unread_hint='The schema of this vendor is not public, and only records that look like those of alibaba_dts_avro are read. '
            ~ 'Compare its record.avsc with macros/formats/huawei_drs_avro.sql, change that, and run with --vars \'{replay: all}\'.',
    )) }}
{% endmacro %}
