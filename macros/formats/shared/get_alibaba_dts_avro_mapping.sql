{#
  Returns the mapping of the Avro records of Alibaba DTS.

  Arguments:
    record (string): name of the parsed record, the slug of the format.

  Returns: dict[string, any], see get_format.
#}
{% macro get_alibaba_dts_avro_mapping(record) %}
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

    {#- PostgreSQL's jsonb has the number 3802. The bytes are its text. -#}
    {%- set is_json -%}
    {{ record }}.source.sourceType in ('PostgreSQL', 'PPAS') and get({{ fields }}, item_index).dataTypeNumber = 3802
    {%- endset -%}
    {%- set images -%}
    transform(
        array({{ before_images }}, {{ after_images }}),
        image -> transform(image, (item, item_index) -> {{ kafka_cdc.alibaba_dts_avro_value(is_json) | indent(8) }})
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
