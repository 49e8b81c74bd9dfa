{#
  Huawei Data Replication Service (DRS), Avro.

  The vendor's schema is not public, so the project reads records of the schema of
  `alibaba_dts_avro`. The format covers the operations of that format.
  Document: Data Replication Service, "Kafka message format", avro. It links the schema,
  record.avsc, in an archive (record.rar) and shows no message.

    {"id": 7, "operation": "INSERT", "objectName": "test01.t",
     "fields": [{"name": "id", "dataTypeNumber": 3}], "beforeImages": null,
     "afterImages": [{"precision": 4, "value": "104"}], …}

  Quirks
  * The sample is not the vendor's. It is a record of `alibaba_dts_avro`, the closest format whose
    schema is published.
  * Payloads are base64 in raw.

  Limits
  * The vendor publishes its schema (record.avsc) only in an archive. The format was never tested
    with the vendor's own bytes.
  * It reads a payload that is exactly one record of the schema of `alibaba_dts_avro`, a relative.
    Everything else is rejected, whole, as `invalid_binary`.
  * If you have record.avsc, write it into macros/formats/huawei_drs_avro.sql and run a replay.
  * The types of its columns stay text.
  * The topic needs an entry in `topics` (`auto` does not recognize Avro).
#}
{% macro format_huawei_drs_avro() %}
    {{ return(dict(
        kafka_cdc.get_alibaba_dts_avro_mapping('huawei_drs_avro'),
        unread_hint='The schema of this vendor is not public. Only records of the schema of alibaba_dts_avro are read. '
            ~ 'If you have its record.avsc, write it into macros/formats/huawei_drs_avro.sql and run with '
            ~ "--vars '{replay: all}'.",
    )) }}
{% endmacro %}
