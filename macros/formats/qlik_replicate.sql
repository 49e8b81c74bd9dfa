{#
  Qlik Replicate (formerly Attunity), target Kafka, JSON.

  The format covers the full load, inserts, updates, deletes and metadata messages, with and without
  the message envelope.
  Document: Qlik Replicate Help, November 2024, "Metadata and data messages" of the targets Kafka and
  Amazon MSK. The field table was read. The document has no complete message. The envelope is that of
  the field table's `magic` and `type`.

    {"magic": "atMSG", "type": "DT", "headers": null, "messageSchemaId": null,
     "messageSchema": null,
     "message": {"data": {"ID": "7", "NAME": "b"}, "beforeData": {"ID": "7", "NAME": "a"},
                 "headers": {"operation": "UPDATE",
                             "changeSequence": "20240101000000000000000000000000007",
                             "timestamp": "2024-01-01T00:00:00.000", "streamPosition": "1",
                             "transactionId": "2", "changeMask": "02", "columnMask": "03"}}}

  Quirks
  * `columnMask` contains one bit for each column: whether the message has its value. The mask is one
    number: the last digit is that of the first four columns, and it may have leading zeros. If bits
    are missing, the image is partial, and a null without its bit is no value.
  * The document calls the mask little-endian and shows one byte. The order of the bytes is that of
    messages that users published. If a value lacks its bit, only the number of bits is read: a null
    of a partial image is then no value.
  * `changeSequence` orders the changes of a task. Its 35 digits are read as three numbers: a time
    with hundredths of a second, and a counter. A row of the full load has none.
  * Qlik's examples have shorter numbers, such as 100. They cannot be compared with 35 digits. So they
    are no position, and the offset orders the table.
  * `timestamp` is in UTC.
  * The row of a DELETE is in `beforeData` or in `data`.
  * Metadata messages (`type` MT or MD, or `tableStructure`) are control events.
  * The table has the topic's name, because no message contains it.

  Limits
  * No message names its key: set `key`.
  * Without `beforeData` an update of the key cannot be recognized. The row under the old key stays.
  * Rows of a later full load come before all changes, because they have no `changeSequence`. They
    repair no row that has changed.
  * `headers.transactionLastEvent`, `streamPosition` and `changeMask` are not read.
#}
{% macro format_qlik_replicate() %}
    {%- set headers = ['operation', 'changeSequence', 'timestamp', 'columnMask'] -%}
    {%- set change = {
        'data': 'map<string, string>',
        'beforeData': 'map<string, string>',
        'headers': dict.fromkeys(headers, 'string'),
        'tableStructure': 'string',
    } -%}

    {%- set set_bits -%}
    aggregate(
        split(change.headers.columnMask, ''),
        0,
        (bits, digit) -> bits + coalesce(bit_count(try_cast(conv(nullif(digit, ''), 16, 10) as bigint)), 0)
    )
    {%- endset -%}
    {%- set is_partial -%}
    coalesce(
        change.headers.columnMask rlike r'^[0-9A-Fa-f]+\z'
        and {{ set_bits }} < size(coalesce(change.data, change.beforeData)),
        false
    )
    {%- endset -%}
    {%- set masked_columns -%}
    if(
        is_partial,
        filter(
            map_keys({0}),
            (name, position) -> bit_get(
                cast(conv(substring(change.headers.columnMask, -1 - cast(position div 4 as int), 1), 16, 10) as int),
                position % 4
            ) <=> 1
        ),
        array()
    )
    {%- endset -%}
    {%- set known_columns -%}
    if(
        is_partial,
        map_filter(
            {0},
            (name, text) -> text is not null
            or size(array_except(map_keys(map_filter({0}, (name, text) -> text is not null)), {1})) = 0
            and array_contains({1}, name)
        ),
        {0}
    )
    {%- endset -%}

    {%- set source_sequence -%}
    case
        when change.headers.changeSequence rlike r'^[0-9]{35}\z'
            then {{ kafka_cdc.sequence_array([
                'substring(change.headers.changeSequence, 1, 16)',
                'substring(change.headers.changeSequence, 17, 10)',
                'substring(change.headers.changeSequence, 27, 9)',
            ]) }}
        when not change.headers.changeSequence rlike r'^[0-9]*+\z' then array(null)
    end
    {%- endset -%}

    {%- set operation -%}
    if(
        is_metadata,
        'other',
        {{ kafka_cdc.map_operation('code', {
            'REFRESH': 'snapshot',
            'INSERT': 'insert',
            'UPDATE': 'update',
            'DELETE': 'delete',
        }) }}
    )
    {%- endset -%}

    {%- set signature = {'headers': {'operation': 'string', 'changeSequence': 'string', 'columnMask': 'string'}} -%}
    {%- set recognized -%}
    signature.magic = 'atMSG'
    or signature.headers.operation is not null
    and coalesce(signature.headers.changeSequence, signature.headers.columnMask) is not null
    {%- endset -%}

    {{ return({
        'fields': kafka_cdc.struct_fields(dict(
            data='map<string, string>',
            beforeData='map<string, string>',
            headers=change.headers,
            tableStructure='string',
            magic='string',
            type='string',
            message=change,
        )),
        'informational': [kafka_cdc.struct_fields({'headers': change.headers})],
        'variables': {
            'change': 'coalesce(qlik_replicate.message, struct(qlik_replicate.data, qlik_replicate.beforeData, '
                ~ 'qlik_replicate.headers, qlik_replicate.tableStructure))',
            'code': 'change.headers.operation',
            'is_metadata': "coalesce(qlik_replicate.type in ('MT', 'MD') or change.tableStructure is not null, false)",
            'is_partial': is_partial,
            'masked_data': masked_columns.format('change.data'),
            'masked_before': masked_columns.format('change.beforeData'),
            'known_data': known_columns.format('change.data', 'masked_data'),
            'known_before': known_columns.format('change.beforeData', 'masked_before'),
        },
        'recognized_by': {
            'signature': dict(signature, magic='string'),
            'condition': recognized,
        },
        'required': {
            'operation': "if(is_metadata, '', code)",
        },
        'topic_names_table': true,
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'null',
            'source_schema': 'null',
            'source_table': 'if(is_metadata, null, kafka_topic)',
            'operation': operation,
            'operation_code': 'code',
            'occurred_at': kafka_cdc.zoned_timestamp('change.headers.timestamp', "'UTC'"),
            'emitted_at': 'null',
            'source_sequence': source_sequence,
            'key_columns': 'null',
            'before_row': "case code when 'UPDATE' then known_before "
                ~ "when 'DELETE' then coalesce(known_before, known_data) end",
            'after_row': "if(code = 'DELETE', null, known_data)",
            'image': "if(is_partial, 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
