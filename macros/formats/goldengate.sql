{#
  Oracle GoldenGate for Big Data, JSON formatter, operation-modelled or row-modelled.

  The product is also called GoldenGate for Distributed Applications and Analytics. The format
  covers inserts, updates, deletes and TRUNCATE.
  Document: "Using the JSON Formatter" and "Operation versus Row Based Formatting", 12.2 to 23ai.
  The envelope of Kafka Connect and the positions with a hyphen come from users' output.

    {"table": "QASOURCE.TCUSTORD", "op_type": "U", "op_ts": "2015-11-05 18:45:39.000000",
     "current_ts": "2016-10-05T10:15:51.310002", "pos": "00000000000000004300",
     "primary_keys": ["CUST_CODE"], "tokens": {},
     "before": {"CUST_CODE": "BILL", "PRODUCT_PRICE": 15000.00, "PRODUCT_AMOUNT": 3},
     "after": {"CUST_CODE": "BILL", "PRODUCT_PRICE": 14000.00}}

  Quirks
  * `after` of a U contains the columns that the trail has, often the key and what changed. It is a
    partial image.
  * `<column>_isMissing` is no column. If it is true, the trail lacks the column, and the column's
    null is no value. The member is configured, and older releases always write it.
  * Some versions leave out `before` of a U, or write an empty one. The image after it is then all
    that is known.
  * `pos` orders changes. It is the trail's number and the position in the trail, ten digits each.
    Other versions write another number of digits, up to 38, or a file's number, a hyphen and an
    offset.
  * If the configuration leaves out `pos`, the offset orders changes, never a time.
  * The codes of operations can be configured. The default codes and the whole words are read. P is
    an update of the key.
  * The handler for Kafka Connect may wrap the message in `schema` and `payload`.
  * If a message has only `before`, `after` and `op_type`, the table's name is the topic's. Flink
    writes such messages, an update as a D and an I. So does a template of metadata columns that
    names the operation only.
  * SeaTunnel writes the row of a D into `after`, with `before` null, and `op_ts` in milliseconds. A
    table without a name has the topic's.
  * `op_ts` is the source's clock, and `current_ts` is the formatter's.
  * `primary_keys` is configured. Without it the key comes from the settings.
  * A T has no images.
  * `table` is table, schema.table or catalog.schema.table.
  * A row-modelled message (mode=row) has the columns next to `table` and `op_type`: the row after an
    I or U, the row before a D. Of a U it is a partial image.
  * Flattened messages (`after.CUST_CODE`) have no images and are rejected.
  * `auto` recognizes the format by `op_type` with an image, or with `table`. Confluent's Oracle
    connector also writes `op_type` and `table` next to the columns. `pos`, or a time with hyphens, is
    not Confluent's. Without both, a row-modelled message is in quarantine until the topic is mapped.

  Limits
  * Messages write times without a zone. `occurred_at` is null unless `topics[].timezone` names the
    zone.
  * A U without `before` that changes the key cannot be recognized. The row under the old key stays.
    No U of a row-modelled message has a `before`.
  * The names of the fields next to the columns of a row-modelled message can be configured. Only the
    defaults are read. A field with another name is read as a column.
#}
{% macro format_goldengate() %}
    {%- set type = 'message.op_type' -%}
    {%- set key = 'coalesce(message.primary_keys, settings.key)' -%}
    {%- set message = dict(
        dict.fromkeys(['table', 'op_type', 'op_ts', 'current_ts', 'pos'], 'string'),
        primary_keys='array<string>',
        before='map<string, string>',
        after='map<string, string>',
    ) -%}

    {#- A message of op_type and images has no table. SeaTunnel may know the time of a row without a table's name. -#}
    {%- set is_bare -%}
    message.`table` is null and message.pos is null and operation <> 'truncate'
    and (
        message.op_ts is null
        or array_sort(json_object_keys(value)) = array('after', 'before', 'op_ts', 'op_type', 'table')
    )
    {%- endset -%}

    {#- The columns of a row-modelled message, null for others. Only a message without images is parsed again. -#}
    {%- set metadata = "array('table', 'op_type', 'op_ts', 'current_ts', 'pos', 'primary_keys', 'tokens')" -%}
    {%- set json_options = kafka_cdc.get_json_options() -%}
    {%- set row_type = "'documents array<map<string, string>>'" -%}
    {%- set enveloped_type = "'documents array<struct<payload: map<string, string>>>'" -%}
    {%- set row_columns -%}
    if(
        message.before is null and message.after is null and operation <> 'truncate' and not coalesce(is_bare, false),
        map_filter(
            if(
                goldengate.payload is null,
                get(from_json(guarded_value, {{ row_type }}, {{ json_options }}).documents, 1),
                get(from_json(guarded_value, {{ enveloped_type }}, {{ json_options }}).documents, 1).payload
            ),
            (name, text) -> not array_contains({{ metadata }}, name)
        ),
        null
    )
    {%- endset -%}

    {#- The columns of a flattened message begin with the name of an image, and a delimiter that is configured. -#}
    {%- set own_row -%}
    if(
        exists(map_keys(row_columns), name -> name rlike r'^(?:before|after)(?:[^A-Za-z0-9_]|\z)')
        or not exists(map_keys(row_columns), name -> not name rlike '^(?:before|after)'),
        null,
        row_columns
    )
    {%- endset -%}

    {#- Confluent's connector writes rows of the same shape, with scn and a number as current_ts. -#}
    {%- set signature = dict.fromkeys([
        'op_type', 'table', 'before', 'after', 'scn', 'pos', 'current_ts',
    ], 'string') -%}
    {%- set recognized = [] -%}
    {%- for message in ['signature', 'signature.payload'] -%}
        {%- set condition -%}
        {{ message }}.op_type is not null
        and (
            coalesce({{ message }}.before, {{ message }}.after) is not null
            or {{ message }}.`table` is not null
            and (
                {{ message }}.pos is not null
                or {{ message }}.scn is null and not coalesce({{ message }}.current_ts rlike r'^[0-9]{13}\z', false)
            )
        )
        {%- endset -%}
        {%- do recognized.append(condition) -%}
    {%- endfor -%}

    {%- set incomplete_before_key -%}
    operation = 'update'
    and size(array_except({{ key }}, map_keys(known_before))) between 1 and size({{ key }}) - 1
    {%- endset -%}

    {#- Two numbers up to 28 digits, three above. The last ten digits are the position in the trail. -#}
    {%- set file = "regexp_extract(message.pos, '^([0-9]+)-', 1)" -%}
    {%- set offset = "regexp_extract(message.pos, '-([0-9]+)$', 1)" -%}
    {%- set digits = "lpad(message.pos, 38, '0')" -%}
    {%- set source_sequence -%}
    case
        when nullif(message.pos, '') is null then null
        when message.pos rlike r'^0*[0-9]{1,18}-0*[0-9]{1,18}\z' then {{ kafka_cdc.sequence_array([file, offset]) }}
        when message.pos rlike r'^[0-9]{1,28}\z'
            then {{ kafka_cdc.sequence_array(['substring(' ~ digits ~ ', 11, 18)', 'right(' ~ digits ~ ', 10)']) }}
        when message.pos rlike r'^[0-9]{29,38}\z' then {{ kafka_cdc.sequence_array([
            'left(' ~ digits ~ ', 10)',
            'substring(' ~ digits ~ ', 11, 18)',
            'right(' ~ digits ~ ', 10)',
        ]) }}
        else array(null)
    end
    {%- endset -%}

    {{ return({
        'fields': kafka_cdc.struct_fields(dict(message, payload=message)),
        'variables': {
            'message': kafka_cdc.payload_or_message('goldengate', message),
            'operation': kafka_cdc.map_operation(type, {
                'I': 'insert',
                'INSERT': 'insert',
                'U': 'update',
                'UPDATE': 'update',
                'P': 'update',
                'D': 'delete',
                'DELETE': 'delete',
                'T': 'truncate',
                'TRUNCATE': 'truncate',
            }),
            'is_bare': is_bare,
            'parts': "if(is_bare, array(kafka_topic), split(message.`table`, '[.]'))",
            'row_columns': row_columns,
            'own_row': own_row,
            'before_image': "if(operation = 'delete' and coalesce(size(message.before), 0) < 1, "
                ~ 'coalesce(own_row, message.after), message.before)',
            'after_image': "coalesce(message.after, if(operation = 'delete', null, own_row))",
            'known_before': kafka_cdc._goldengate_known_columns('before_image'),
            'known_after': kafka_cdc._goldengate_known_columns('after_image'),
        },
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': recognized | join(' or '),
        },
        'required': {
            'table': "if(is_bare or size(parts) in (1, 2, 3) and not array_contains(parts, ''), true, null)",
            'op_type': type,
            'before': 'if(' ~ type ~ " = 'P' and coalesce(size(known_before), 0) < 1, null, true)",
        },
        'rejects': [
            {
                'condition': "operation in ('insert', 'truncate') and size(message.before) > 0",
                'detail': 'an I or T has a before image.',
            },
            {
                'condition': "size(message.after) > 0 "
                    ~ "and (operation = 'truncate' or operation = 'delete' and size(message.before) > 0)",
                'detail': 'a D or T has an after image.',
            },
            {
                'condition': incomplete_before_key,
                'detail': 'before contains only a part of the key.',
            },
        ],
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'if(size(parts) = 3, parts[0], null)',
            'source_schema': 'if(size(parts) > 1, get(parts, size(parts) - 2), null)',
            'source_table': 'get(parts, size(parts) - 1)',
            'operation': 'operation',
            'operation_code': type,
            'occurred_at': 'coalesce(' ~ kafka_cdc.zoned_timestamp('message.op_ts') ~ ', '
                ~ kafka_cdc.epoch_timestamp('message.op_ts') ~ ')',
            'emitted_at': kafka_cdc.zoned_timestamp('message.current_ts'),
            'source_sequence': source_sequence,
            'key_columns': 'message.primary_keys',
            'before_row': "if(operation in ('update', 'delete') and size(known_before) > 0, known_before, null)",
            'after_row': "if(operation in ('insert', 'update'), known_after, null)",
            'image': "if(operation = 'update', 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{# Prints an expression: an image without its `_isMissing` members and the columns that they mark. #}
{% macro _goldengate_known_columns(image) -%}
    if(
        not exists(map_keys({{ image }}), name -> endswith(name, '_isMissing')),
        {{ image }},
        map_filter(
            {{ image }},
            (name, text) -> not (
                endswith(name, '_isMissing')
                and text in ('true', 'false')
                and map_contains_key({{ image }}, left(name, length(name) - 10))
            )
            and not coalesce(try_element_at({{ image }}, concat(name, '_isMissing')) = 'true', false)
        )
    )
{%- endmacro %}
