{#
  Alibaba Cloud Data Transmission Service (DTS), Avro. It is the default of its tasks into Kafka
  and the format of its change tracking. It covers inserts, updates, deletes, the full copy (INIT),
  DDL, transactions, heartbeats and other control records.
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
  * Character values are decoded by their charset. Binary values and bytes become base64.
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
    the name of the type.

  Limits
  * The topic needs an entry in `topics`: `auto` does not recognize Avro and rejects it as
    `invalid_json`. Landing from Kafka also needs `encoding: base64`.
  * Messages of MongoDB and Redis that have rows without `fields` are rejected.
  * Logical names of shards (l_db_name, l_tb_name) are not read: each shard is a table of its own.
  * Texts and bytes of more than 64 MB and arrays of more than a million items are rejected as
    `invalid_binary`.
  * Text in a character set that Java knows and Spark does not is decoded with `try_reflect`; text
    that contains U+FFFD counts as undecodable.
  * Copied rows (INIT) have no position, see "second full copy" in
    docs/concepts/ddl-and-snapshots.md.
#}
{% macro format_alibaba_dts_avro(record='alibaba_dts_avro') %}
    {%- set schema = kafka_cdc.get_alibaba_dts_avro_schema() -%}
    {%- set code = record ~ '.operation' -%}
    {%- set fields = record ~ '.fields.member_array' -%}
    {%- set before_images = record ~ '.beforeImages.member_array' -%}
    {%- set after_images = record ~ '.afterImages.member_array' -%}
    {%- set ddl_text = record ~ '.afterImages.member_string' -%}
    {%- set position = record ~ '.sourcePosition' -%}
    {%- set is_row = code ~ " in ('INSERT', 'UPDATE', 'DELETE', 'INIT')" -%}

    {#- The older edition ends before bornTimestamp: read it with the largest bigint in its place. -#}
    {%- set older_record = kafka_cdc.sql_let(
        {'older': kafka_cdc.read_avro("concat(bytes, X'FEFFFFFFFFFFFFFFFF01')", schema)},
        'if(older.bornTimestamp = 9223372036854775807, older, null)'
    ) -%}
    {%- set read = kafka_cdc.sql_let(
        {'bytes': "try_to_binary(value, 'base64')"},
        'coalesce(' ~ kafka_cdc.read_avro('bytes', schema) ~ ', ' ~ older_record ~ ')'
    ) -%}

    {%- set names -%}
    transform(split({{ record }}.objectName, r'[.]'), part -> replace(part, r'\u002E', '.'))
    {%- endset -%}

    {%- set fraction_digits -%}
    if(
        {{ record }}.source.sourceType in ('MySQL', 'PostgreSQL') and not contains({{ position }}, '<->'),
        6,
        9
    )
    {%- endset -%}

    {%- set images -%}
    transform(
        array({{ before_images }}, {{ after_images }}),
        image -> transform(image, item -> {{ kafka_cdc.alibaba_dts_avro_value() | indent(8) }})
    )
    {%- endset -%}

    {%- set has_invalid_text -%}
    not is_valid_utf8(concat_ws(
        '',
        {{ fields }}.name,
        map_values(previous),
        map_values(posterior),
        {{ record }}.objectName,
        {{ ddl_text }},
        {{ position }},
        {{ record }}.safeSourcePosition,
        {{ record }}.sourceTxid,
        {{ record }}.source.version,
        map_keys({{ record }}.tags),
        map_values({{ record }}.tags)
    ))
    {%- endset -%}

    {#- A control record that has images has no operation, and is rejected. -#}
    {%- set operation -%}
    nullif(
        {{ kafka_cdc.map_operation(code, {
            'INSERT': 'insert',
            'UPDATE': 'update',
            'DELETE': 'delete',
            'INIT': 'snapshot',
            'DDL': 'ddl',
            'COMMAND': 'ddl',
            'BEGIN': 'transaction',
            'COMMIT': 'transaction',
            'ROLLBACK': 'transaction',
            'ABORT': 'transaction',
            'HEARTBEAT': 'heartbeat',
            'CHECKPOINT': 'other',
            'FILL': 'other',
            'FINISH': 'other',
            'CONTROL': 'other',
            'RDB': 'other',
            'NOOP': 'other',
        }) }},
        if(exists(images, image -> image is not null), 'other', '')
    )
    {%- endset -%}

    {%- set file = 'substring_index(' ~ position ~ ", '@', -1)" -%}
    {%- set offset = 'substring_index(' ~ position ~ ", '@', 1)" -%}
    {%- set source_sequence -%}
    case
        when {{ code }} <> 'INIT' and {{ record }}.source.sourceType = 'MySQL'
            and {{ position }} rlike r'^[0-9]+@[0-9]+\z'
            then {{ kafka_cdc.sequence_array([file, offset]) }}
    end
    {%- endset -%}

    {%- set after_row -%}
    if(
        is_partial and previous is not null,
        {{ kafka_cdc.merge_rows('previous', 'posterior') | indent(8) }},
        posterior
    )
    {%- endset -%}

    {%- set different_lengths -%}
    exists(images, image -> size(image) > 0 and size(image) <> coalesce(size({{ fields }}), -1))
    {%- endset -%}

    {%- set type_numbers = 'transform(' ~ fields ~ '.dataTypeNumber, number -> cast(number as string))' -%}

    {{ return({
        'read': read,
        'recognized_by': {'signature': {}, 'condition': 'false'},
        'variables': {
            'names': names,
            'digits': fraction_digits,
            'images': images,
            'previous': kafka_cdc._alibaba_dts_avro_row('images[0]', fields),
            'posterior': kafka_cdc._alibaba_dts_avro_row('images[1]', fields),
            'is_partial': 'exists(images[1], value -> value.is_absent)',
        },
        'required': {
            'objectName': 'if(' ~ is_row ~ ', ' ~ record ~ ".objectName, '')",
            'fields': 'if(' ~ is_row ~ ' and ' ~ fields ~ ' is null, null, true)',
            'beforeImages': 'if(' ~ code ~ " = 'UPDATE' and coalesce(size(previous), 0) < 1, null, true)",
            'afterImages': 'if(' ~ code ~ " = 'DDL', " ~ ddl_text ~ ", '')",
        },
        'rejects': [
            {
                'condition': 'size(names) > 3',
                'detail': 'objectName has more than three parts.',
            },
            {
                'condition': different_lengths,
                'detail': 'an image and fields have different lengths.',
            },
            {
                'condition': code ~ " in ('INSERT', 'INIT') and size(previous) > 0",
                'detail': 'an INSERT or INIT has beforeImages.',
            },
            {
                'condition': code ~ " = 'DELETE' and size(posterior) > 0",
                'detail': 'a DELETE has afterImages.',
            },
            {
                'condition': 'exists(flatten(array_compact(images)), value -> value.is_unreadable)',
                'detail': 'a value does not fit its type or character set.',
            },
            {
                'condition': has_invalid_text,
                'detail': 'a text is not valid UTF-8.',
            },
        ],
        'columns': {
            'source_name': 'null',
            'source_database_type': record ~ '.source.sourceType',
            'source_tenant': 'null',
            'source_database': 'get(names, 0)',
            'source_schema': 'if(size(names) = 3, get(names, 1), null)',
            'source_table': 'if(size(names) > 1, element_at(names, -1), null)',
            'operation': operation,
            'operation_code': code,
            'occurred_at': kafka_cdc.epoch_timestamp('nullif(' ~ record ~ '.sourceTimestamp, 0)', 's'),
            'emitted_at': kafka_cdc.epoch_timestamp('try_element_at(' ~ record ~ ".tags, 'readerThroughoutTime')"),
            'source_sequence': source_sequence,
            'key_columns': 'from_json(try_element_at(' ~ record
                ~ ".tags, 'pk_uk_info'), 'PRIMARY array<string>').PRIMARY",
            'before_row': 'previous',
            'after_row': after_row,
            'image': 'if(is_partial and not coalesce(size(previous) = size(' ~ fields ~ "), false), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays(fields ~ '.name', type_numbers),
            'ddl_text': ddl_text,
        },
    }) }}
{% endmacro %}

{# Prints an expression: the row of an image, without the columns that it lacks, null for no image. #}
{% macro _alibaba_dts_avro_row(image, fields) -%}
    {%- set pairs -%}
    filter(
        zip_with({{ fields }}.name, {{ image }}, (name, value) -> struct(name, value)),
        pair -> not pair.value.is_absent
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({'pairs': pairs}, kafka_cdc.safe_map_from_arrays('pairs.name', 'pairs.value.text')) }}
{%- endmacro %}
