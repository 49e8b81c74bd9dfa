{#
  Oracle GoldenGate for Big Data, JSON formatter, operation-modelled.

  The product is also called GoldenGate for Distributed Applications and Analytics. The format
  covers inserts, updates, deletes and TRUNCATE.
  Document: "Using the JSON Formatter", 12.3 to 23ai, one message per operation (mode=op).

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
  * The document states that `before` of a U is always present. A U without it is rejected, because
    its key may have changed.
  * `pos` orders changes. It is the trail's number and the position in the trail, ten digits each.
  * If the configuration leaves out `pos`, the offset orders changes, never a time.
  * `op_ts` is the source's clock, and `current_ts` is the formatter's.
  * `primary_keys` is configured. Without it the key comes from the settings.
  * A T has no images.
  * `table` is schema.table or catalog.schema.table.
  * Row-modelled and flattened messages have no images and are rejected.
  * `auto` recognizes the format by `op_type` with `table`. No other format has both.

  Limits
  * Messages write times without a zone. `occurred_at` is null unless `topics[].timezone` names the
    zone.
#}
{% macro format_goldengate() %}
    {%- set type = 'goldengate.op_type' -%}
    {%- set key = 'coalesce(goldengate.primary_keys, settings.key)' -%}

    {%- set incomplete_before_key -%}
    {{ type }} = 'U'
    and size(array_except({{ key }}, map_keys(known_before))) between 1 and size({{ key }}) - 1
    {%- endset -%}

    {%- set trail_number = 'substring(goldengate.pos, 1, 10)' -%}
    {%- set trail_position = 'substring(goldengate.pos, 11)' -%}
    {%- set source_sequence -%}
    case
        when goldengate.pos is not null then if(
            goldengate.pos rlike r'^[0-9]{20}\z',
            {{ kafka_cdc.sequence_array([trail_number, trail_position]) }},
            array(null)
        )
    end
    {%- endset -%}

    {{ return({
        'fields': '`table` string, op_type string, op_ts string, current_ts string, pos string, '
            ~ 'primary_keys array<string>, before map<string, string>, after map<string, string>',
        'variables': {
            'parts': "split(goldengate.`table`, '[.]')",
            'known_before': kafka_cdc._goldengate_known_columns('goldengate.before'),
            'known_after': kafka_cdc._goldengate_known_columns('goldengate.after'),
        },
        'recognized_by': {
            'signature': {'op_type': 'string', 'table': 'string'},
            'condition': 'signature.op_type is not null and signature.`table` is not null',
        },
        'required': {
            'table': "if(size(parts) in (2, 3) and not array_contains(parts, ''), true, null)",
            'op_type': type,
            'before': 'if(' ~ type ~ " = 'U' and coalesce(size(known_before), 0) < 1, null, true)",
            'op_ts': 'if(goldengate.op_ts is null or ' ~ kafka_cdc.timestamp_text_condition('goldengate.op_ts')
                ~ ', true, null)',
        },
        'rejects': [
            {
                'condition': type ~ " in ('I', 'T') and size(goldengate.before) > 0",
                'detail': 'an I or T has a before image.',
            },
            {
                'condition': type ~ " in ('D', 'T') and size(goldengate.after) > 0",
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
            'source_schema': 'get(parts, size(parts) - 2)',
            'source_table': 'get(parts, size(parts) - 1)',
            'operation': kafka_cdc.map_operation(type, {
                'I': 'insert',
                'U': 'update',
                'D': 'delete',
                'T': 'truncate',
            }),
            'operation_code': type,
            'occurred_at': kafka_cdc.zoned_timestamp('goldengate.op_ts'),
            'emitted_at': kafka_cdc.zoned_timestamp('goldengate.current_ts'),
            'source_sequence': source_sequence,
            'key_columns': 'goldengate.primary_keys',
            'before_row': 'if(' ~ type ~ " in ('U', 'D'), known_before, null)",
            'after_row': 'if(' ~ type ~ " in ('I', 'U'), known_after, null)",
            'image': 'if(' ~ type ~ " = 'U', 'partial', 'full')",
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
