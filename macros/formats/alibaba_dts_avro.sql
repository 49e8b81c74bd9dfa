{#
  Alibaba Cloud Data Transmission Service (DTS), Avro: the default of its tasks into Kafka, and what its change tracking hands out.
  Document: DTS, "Data formats in a message queue", "DTS Avro"; Record.avsc and the field converters of its subscription SDK and demos.

    {"id": 1700504, "sourceTimestamp": 1696984517, "sourcePosition": "75259@78", "source": {"sourceType": "MySQL", "version": "8.0.28"},
     "operation": "INSERT", "objectName": "mydb.t1", "tags": {"pk_uk_info": "{\"PRIMARY\":[\"a\"]}", "readerThroughoutTime": "1696984517078"},
     "fields": [{"name": "a", "dataTypeNumber": 8}], "beforeImages": null, "afterImages": [{"precision": 8, "value": "1"}], …}

  Quirks
  * A bare record, base64 in raw. The newer edition ends in bornTimestamp (ms or s: not used); the older is read with one put behind it,
    of ten bytes: they cannot complete what a cut number began. EmptyObject NONE: the image lacks the column; NULL, null: SQL NULL.
  * Texts: Character decoded by its charset, binary and bytes base64, Float the double's own text (1.1, 1.0E10), Timestamp epoch seconds
    with six digits behind (1618239451.000000), DateTime the parts that are there, zero dates too (macro date_time_text), a zone behind.
  * `millis` is microseconds of MySQL and PostgreSQL, else nanoseconds; nanoseconds too where the position has <-> (a physical log).
  * Positions: MySQL's offset@file; of other sources the offset orders. A copied row has none. id is unique, not said to be an order.
  * objectName is database[.schema].table, a dot in a name \u002E. A shard is itself: l_db_name and l_tb_name are not read.
  * dataTypeNumber, the source's own number for the type (253: MySQL's VARCHAR), is the type's name.
#}
{% macro format_alibaba_dts_avro(record='alibaba_dts_avro') %}
    {%- set schema = kafka_cdc._alibaba_dts_avro_schema() -%}
    {%- set code, fields = record ~ '.operation', record ~ '.fields.member_array' -%}
    {%- set is_row = code ~ " in ('INSERT', 'UPDATE', 'DELETE', 'INIT')" -%}
    {{ return({
        'read': kafka_cdc.sql_let({'bytes': "try_to_binary(value, 'base64')"}, 'coalesce(' ~ kafka_cdc.read_avro('bytes', schema) ~ ', '
            ~ kafka_cdc.sql_let({'older': kafka_cdc.read_avro("concat(bytes, X'FEFFFFFFFFFFFFFFFF01')", schema)}, 'if(older.bornTimestamp = 9223372036854775807, older, null)') ~ ')'),
        'recognized_by': {'signature': {}, 'condition': 'false'},
        'variables': {
            'names': 'transform(split(' ~ record ~ ".objectName, r'[.]'), part -> replace(part, r'\\u002E', '.'))",
            'digits': 'if(' ~ record ~ ".source.sourceType in ('MySQL', 'PostgreSQL') and not contains(" ~ record ~ ".sourcePosition, '<->'), 6, 9)",
            'images': 'transform(array(' ~ record ~ '.beforeImages.member_array, ' ~ record ~ '.afterImages.member_array), image -> '
                ~ 'transform(image, item -> ' ~ kafka_cdc._alibaba_dts_avro_value() ~ '))',
            'previous': kafka_cdc._alibaba_dts_avro_row('images[0]', fields), 'posterior': kafka_cdc._alibaba_dts_avro_row('images[1]', fields),
            'is_partial': 'exists(images[1], value -> value.is_absent)',
        },
        'required': {
            'objectName': 'if(' ~ is_row ~ ', ' ~ record ~ ".objectName, '')",
            'fields': 'if(' ~ is_row ~ ' and ' ~ fields ~ ' is null, null, true)',
            'beforeImages': 'if(' ~ code ~ " = 'UPDATE' and coalesce(size(previous), 0) < 1, null, true)",
            'afterImages': 'if(' ~ code ~ " = 'DDL', " ~ record ~ ".afterImages.member_string, '')",
        },
        'rejects': [
            {'condition': 'size(names) > 3', 'detail': 'objectName has more than three parts.'},
            {'condition': 'exists(images, image -> size(image) > 0 and size(image) <> coalesce(size(' ~ fields ~ '), -1))',
             'detail': 'an image and fields differ in number.'},
            {'condition': code ~ " in ('INSERT', 'INIT') and size(previous) > 0", 'detail': 'an INSERT or INIT has beforeImages.'},
            {'condition': code ~ " = 'DELETE' and size(posterior) > 0", 'detail': 'a DELETE has afterImages.'},
            {'condition': 'exists(flatten(array_compact(images)), value -> value.is_unreadable)', 'detail': 'a value is not of its type or character set.'},
            {'condition': "not is_valid_utf8(concat_ws('', " ~ fields ~ '.name, map_values(previous), map_values(posterior), ' ~ record
                ~ ['.objectName', '.afterImages.member_string', '.sourcePosition', '.safeSourcePosition', '.sourceTxid', '.source.version'] | join(', ' ~ record)
                ~ ', map_keys(' ~ record ~ '.tags), map_values(' ~ record ~ '.tags)))', 'detail': 'a text is not valid UTF-8.'},
        ],
        'columns': {
            'source_name': 'null', 'source_tenant': 'null', 'removed_columns': 'null',
            'source_database_type': record ~ '.source.sourceType',
            'source_database': 'get(names, 0)',
            'source_schema': 'if(size(names) = 3, get(names, 1), null)',
            'source_table': 'if(size(names) > 1, element_at(names, -1), null)',
            'operation': 'nullif(' ~ kafka_cdc.map_operation(code, dict(INSERT='insert', UPDATE='update', DELETE='delete', INIT='snapshot', DDL='ddl', COMMAND='ddl',
                BEGIN='transaction', COMMIT='transaction', ROLLBACK='transaction', ABORT='transaction', HEARTBEAT='heartbeat', CHECKPOINT='other',
                FILL='other', FINISH='other', CONTROL='other', RDB='other', NOOP='other')) ~ ", if(exists(images, image -> image is not null), 'other', ''))",
            'operation_code': code,
            'occurred_at': kafka_cdc.epoch_timestamp('nullif(' ~ record ~ '.sourceTimestamp, 0)', 's'),
            'emitted_at': kafka_cdc.epoch_timestamp("try_element_at(" ~ record ~ ".tags, 'readerThroughoutTime')"),
            'source_sequence': 'case when ' ~ code ~ " <> 'INIT' and " ~ record ~ ".source.sourceType = 'MySQL' and " ~ record
                ~ ".sourcePosition rlike r'^[0-9]+@[0-9]+\\z' then "
                ~ kafka_cdc.sequence_array(["substring_index(" ~ record ~ ".sourcePosition, '@', -1)", "substring_index(" ~ record ~ ".sourcePosition, '@', 1)"]) ~ ' end',
            'key_columns': "from_json(try_element_at(" ~ record ~ ".tags, 'pk_uk_info'), 'PRIMARY array<string>').PRIMARY",
            'before_row': 'previous', 'after_row': 'if(is_partial and previous is not null, ' ~ kafka_cdc.merge_rows('previous', 'posterior') ~ ', posterior)',
            'image': "if(is_partial and not coalesce(size(previous) = size(" ~ fields ~ "), false), 'partial', 'full')",
            'column_types': kafka_cdc.safe_map_from_arrays(fields ~ '.name', 'transform(' ~ fields ~ '.dataTypeNumber, number -> cast(number as string))'),
            'ddl_text': record ~ '.afterImages.member_string',
        },
    }) }}
{% endmacro %}

{# Returns the schema of the record, its newer edition. #}
{% macro _alibaba_dts_avro_schema() %}
    {%- set types, object, binary = ['null'], {'type': 'string', 'value': 'string'}, {'type': 'string', 'value': 'bytes'} -%}
    {%- for name, fields in {
        'Integer': {'precision': 'int', 'value': 'string'}, 'Character': {'charset': 'string', 'value': 'bytes'},
        'Decimal': {'value': 'string', 'precision': 'int', 'scale': 'int'}, 'Float': {'value': 'double', 'precision': 'int', 'scale': 'int'},
        'Timestamp': {'timestamp': 'long', 'millis': 'int'}, 'DateTime': dict.fromkeys('year month day hour minute second millis'.split(), ['null', 'int']),
        'TimestampWithTimeZone': {'value': 'DateTime', 'timezone': 'string'}, 'BinaryGeometry': binary, 'TextGeometry': object, 'BinaryObject': binary, 'TextObject': object,
    }.items() %}{% do types.append(kafka_cdc.get_avro_record(name, fields)) %}{% endfor -%}
    {%- do types.append({'type': 'enum', 'name': 'EmptyObject', 'symbols': ['NULL', 'NONE']}) -%}
    {{ return(kafka_cdc.get_avro_record('Record', {
        'version': 'int', 'id': 'long', 'sourceTimestamp': 'long', 'sourcePosition': 'string', 'safeSourcePosition': 'string', 'sourceTxid': 'string',
        'source': kafka_cdc.get_avro_record('Source', {'sourceType': {'type': 'enum', 'name': 'SourceType',
            'symbols': 'MySQL Oracle SQLServer PostgreSQL MongoDB Redis DB2 PPAS DRDS HBASE HDFS FILE OTHER'.split()}, 'version': 'string'}),
        'operation': {'type': 'enum', 'name': 'Operation', 'symbols':
            'INSERT UPDATE DELETE DDL BEGIN COMMIT ROLLBACK ABORT HEARTBEAT CHECKPOINT COMMAND FILL FINISH CONTROL RDB NOOP INIT'.split()},
        'objectName': ['null', 'string'], 'processTimestamps': ['null', {'type': 'array', 'items': 'long'}], 'tags': {'type': 'map', 'values': 'string'},
        'fields': ['null', 'string', {'type': 'array', 'items': kafka_cdc.get_avro_record('Field', {'name': 'string', 'dataTypeNumber': 'int'})}],
        'beforeImages': ['null', 'string', {'type': 'array', 'items': types}],
        'afterImages': ['null', 'string', {'type': 'array', 'items': ['null'] + types[1:] | map(attribute='name') | list}], 'bornTimestamp': 'long',
    })) }}
{% endmacro %}

{# Prints SQL for what `item` of an image says: its text, and whether the image lacks the column, or it cannot be read. #}
{% macro _alibaba_dts_avro_value() -%}
    {%- set numbers = 'array(time.' ~ 'year month day hour minute second millis' | replace(' ', ', time.') ~ ')' -%}
    {%- set text -%}
    coalesce(
        item.member_integer.value, item.member_decimal.value, item.member_textobject.value, item.member_textgeometry.value,
        cast(item.member_float.value as string), base64(coalesce(item.member_binaryobject.value, item.member_binarygeometry.value)),
        {{ kafka_cdc.decoded_text('item.member_character.value', 'item.member_character.charset') | indent(8) }},
        if(item.member_timestamp.millis between 0 and 999999, concat(item.member_timestamp.timestamp, '.', lpad(item.member_timestamp.millis, 6, '0')), null),
        concat({{ kafka_cdc.sql_let({'time': 'coalesce(item.member_datetime, item.member_timestampwithtimezone.value)'}, kafka_cdc.date_time_text(numbers, 'digits')) | indent(8) }},
            coalesce(concat(' ', item.member_timestampwithtimezone.timezone), ''))
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({'text': text}, "struct(text, coalesce(item.member_emptyobject = 'NONE', false) as is_absent, "
        ~ 'item is not null and item.member_emptyobject is null and text is null as is_unreadable)') }}
{%- endmacro %}

{# Prints SQL for a row from an image's values, without the columns that the image lacks; null without an image. #}
{% macro _alibaba_dts_avro_row(image, fields) -%}
    {{ kafka_cdc.sql_let({'pairs': 'filter(zip_with(' ~ fields ~ '.name, ' ~ image ~ ', (name, value) -> struct(name, value)), pair -> not pair.value.is_absent)'},
        kafka_cdc.safe_map_from_arrays('pairs.name', 'pairs.value.text')) }}
{%- endmacro %}
