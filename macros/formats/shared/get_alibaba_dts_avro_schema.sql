{#
  Returns the Avro schema of a record of Alibaba DTS, in its newer edition.

  The older edition lacks the last field, `bornTimestamp`.

  Returns: dict[string, any].
#}
{% macro get_alibaba_dts_avro_schema() %}
    {%- set text_object = {'type': 'string', 'value': 'string'} -%}
    {%- set binary_object = {'type': 'string', 'value': 'bytes'} -%}
    {%- set date_time_parts = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millis'] -%}
    {%- set records = {
        'Integer': {'precision': 'int', 'value': 'string'},
        'Character': {'charset': 'string', 'value': 'bytes'},
        'Decimal': {'value': 'string', 'precision': 'int', 'scale': 'int'},
        'Float': {'value': 'double', 'precision': 'int', 'scale': 'int'},
        'Timestamp': {'timestamp': 'long', 'millis': 'int'},
        'DateTime': dict.fromkeys(date_time_parts, ['null', 'int']),
        'TimestampWithTimeZone': {'value': 'DateTime', 'timezone': 'string'},
        'BinaryGeometry': binary_object,
        'TextGeometry': text_object,
        'BinaryObject': binary_object,
        'TextObject': text_object,
    } -%}

    {%- set types = ['null'] -%}
    {%- for name, fields in records.items() -%}
        {%- do types.append(kafka_cdc.get_avro_record(name, fields)) -%}
    {%- endfor -%}
    {%- do types.append({'type': 'enum', 'name': 'EmptyObject', 'symbols': ['NULL', 'NONE']}) -%}
    {#- Avro defines a type where it is first used, and names it later. -#}
    {%- set type_names = ['null'] + types[1:] | map(attribute='name') | list -%}

    {%- set source_type = {
        'type': 'enum',
        'name': 'SourceType',
        'symbols': [
            'MySQL', 'Oracle', 'SQLServer', 'PostgreSQL', 'MongoDB', 'Redis', 'DB2', 'PPAS', 'DRDS', 'HBASE', 'HDFS',
            'FILE', 'OTHER',
        ],
    } -%}
    {%- set operation = {
        'type': 'enum',
        'name': 'Operation',
        'symbols': [
            'INSERT', 'UPDATE', 'DELETE', 'DDL', 'BEGIN', 'COMMIT', 'ROLLBACK', 'ABORT', 'HEARTBEAT', 'CHECKPOINT',
            'COMMAND', 'FILL', 'FINISH', 'CONTROL', 'RDB', 'NOOP', 'INIT',
        ],
    } -%}
    {%- set field = kafka_cdc.get_avro_record('Field', {'name': 'string', 'dataTypeNumber': 'int'}) -%}

    {{ return(kafka_cdc.get_avro_record('Record', {
        'version': 'int',
        'id': 'long',
        'sourceTimestamp': 'long',
        'sourcePosition': 'string',
        'safeSourcePosition': 'string',
        'sourceTxid': 'string',
        'source': kafka_cdc.get_avro_record('Source', {'sourceType': source_type, 'version': 'string'}),
        'operation': operation,
        'objectName': ['null', 'string'],
        'processTimestamps': ['null', {'type': 'array', 'items': 'long'}],
        'tags': {'type': 'map', 'values': 'string'},
        'fields': ['null', 'string', {'type': 'array', 'items': field}],
        'beforeImages': ['null', 'string', {'type': 'array', 'items': types}],
        'afterImages': ['null', 'string', {'type': 'array', 'items': type_names}],
        'bornTimestamp': 'long',
    })) }}
{% endmacro %}
