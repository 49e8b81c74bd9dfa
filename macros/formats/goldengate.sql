{#
  Oracle GoldenGate for Big Data (for Distributed Applications and Analytics), JSON formatter, operation-modelled.
  Document: "Using the JSON Formatter", 12.3 to 23ai: one message an operation (mode=op).

    {"table": "QASOURCE.TCUSTORD", "op_type": "U", "op_ts": "2015-11-05 18:45:39.000000",
     "current_ts": "2016-10-05T10:15:51.310002", "pos": "00000000000000004300", "primary_keys": ["CUST_CODE"], "tokens": {},
     "before": {"CUST_CODE": "BILL", "PRODUCT_PRICE": 15000.00, "PRODUCT_AMOUNT": 3},
     "after": {"CUST_CODE": "BILL", "PRODUCT_PRICE": 14000.00}}

  Quirks
  * after of a U holds what the trail has, often the key and what changed: a partial image. `<column>_isMissing` (configured, older
    releases always) is no column: true says that the trail does not have the column, whose null then says nothing.
  * before of a U is documented as always there; without it the row may have moved, and the message is in quarantine.
  * pos is the trail's number and the place in it, ten digits each; without it (configured away) the offset orders, never a time.
  * op_ts is the source's clock, current_ts the formatter's; neither has a zone: not known unless the topic's `timezone` says it.
  * primary_keys is configured; without it the key comes from the settings. T has no images.
  * table is schema.table or catalog.schema.table. The row-modelled and flattened messages have no images: quarantine.
  * op_type with table tells it; nothing else has both.
#}
{% macro format_goldengate() %}
    {%- set type = 'goldengate.op_type' -%}
    {%- set key = "coalesce(goldengate.primary_keys, settings.key)" -%}
    {{ return({
        'fields': '`table` string, op_type string, op_ts string, current_ts string, pos string, primary_keys array<string>, '
            ~ 'before map<string, string>, after map<string, string>',
        'variables': {
            'parts': "split(goldengate.`table`, '[.]')",
            'before_said': kafka_cdc._goldengate_said('goldengate.before'),
            'after_said': kafka_cdc._goldengate_said('goldengate.after'),
        },
        'recognized_by': {
            'signature': {'op_type': 'string', 'table': 'string'},
            'condition': 'signature.op_type is not null and signature.`table` is not null',
        },
        'required': {
            'table': "if(size(parts) in (2, 3) and not array_contains(parts, ''), true, null)",
            'op_type': type,
            'before': 'if(' ~ type ~ " = 'U' and coalesce(size(before_said), 0) < 1, null, true)",
            'op_ts': 'if(goldengate.op_ts is null or ' ~ kafka_cdc.timestamp_text_condition('goldengate.op_ts') ~ ', true, null)',
        },
        'rejects': [
            {'condition': type ~ " in ('I', 'T') and size(goldengate.before) > 0", 'detail': 'an I or T has a before image.'},
            {'condition': type ~ " in ('D', 'T') and size(goldengate.after) > 0", 'detail': 'a D or T has an after image.'},
            {'condition': type ~ " = 'U' and size(array_except(" ~ key ~ ', map_keys(before_said))) between 1 and size(' ~ key ~ ') - 1',
             'detail': 'before says a part of the key.'},
        ],
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'if(size(parts) = 3, parts[0], null)',
            'source_schema': 'get(parts, size(parts) - 2)',
            'source_table': 'get(parts, size(parts) - 1)',
            'operation': kafka_cdc.map_operation(type, {'I': 'insert', 'U': 'update', 'D': 'delete', 'T': 'truncate'}),
            'operation_code': type,
            'occurred_at': kafka_cdc.zoned_timestamp('goldengate.op_ts'),
            'emitted_at': kafka_cdc.zoned_timestamp('goldengate.current_ts'),
            'source_sequence': "case when goldengate.pos is not null then if(goldengate.pos rlike r'^[0-9]{20}\\z', "
                ~ kafka_cdc.sequence_array(['substring(goldengate.pos, 1, 10)', 'substring(goldengate.pos, 11)']) ~ ', array(null)) end',
            'key_columns': 'goldengate.primary_keys',
            'before_row': 'if(' ~ type ~ " in ('U', 'D'), before_said, null)",
            'after_row': 'if(' ~ type ~ " in ('I', 'U'), after_said, null)",
            'image': 'if(' ~ type ~ " = 'U', 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{# Prints an image without its <column>_isMissing entries and without the columns that they call missing. #}
{% macro _goldengate_said(image) -%}
    if(
        not exists(map_keys({{ image }}), name -> endswith(name, '_isMissing')),
        {{ image }},
        map_filter({{ image }}, (name, text) ->
            not (endswith(name, '_isMissing') and text in ('true', 'false') and map_contains_key({{ image }}, left(name, length(name) - 10)))
            and not coalesce(try_element_at({{ image }}, concat(name, '_isMissing')) = 'true', false))
    )
{%- endmacro %}
