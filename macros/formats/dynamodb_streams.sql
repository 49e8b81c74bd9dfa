{#
  Amazon DynamoDB Streams and Kinesis Data Streams for DynamoDB, JSON.

  The format covers inserts, updates and deletes. A message is one record, as EventBridge Pipes and
  connectors of Kinesis write it, or the records of one Lambda event (`Records`).
  Document: Amazon DynamoDB API Reference, "StreamRecord", "Record" and "AttributeValue"; AWS Lambda
  Developer Guide, "Using AWS Lambda with Amazon DynamoDB"; Amazon DynamoDB Developer Guide, "Using
  Kinesis Data Streams to capture changes to DynamoDB".

    {"eventID": "2", "eventVersion": "1.1", "eventName": "MODIFY", "eventSource": "aws:dynamodb",
     "awsRegion": "us-west-2",
     "eventSourceARN": "arn:aws:dynamodb:us-west-2:111122223333:table/Orders/stream/2015-05-11T21:21:33.291",
     "dynamodb": {"ApproximateCreationDateTime": 1479499740, "SizeBytes": 59,
                  "Keys": {"Id": {"N": "101"}},
                  "OldImage": {"Id": {"N": "101"}, "Note": {"S": "New"}},
                  "NewImage": {"Id": {"N": "101"}, "Note": {"S": "Paid"}, "Tags": {"SS": ["a"]}},
                  "SequenceNumber": "4421584500000000017450439092",
                  "StreamViewType": "NEW_AND_OLD_IMAGES"}}

  Quirks
  * A value is an object with one member, which names its type: S, N, B, BOOL, NULL, M, L, SS, NS or
    BS. S, N and BOOL become their text, so that N keeps all 38 digits. B stays base64 text.
  * M, L and sets become JSON text. The values inside an M or L keep their typed objects:
    `{"a":{"N":"1.10"}}`. Sets are arrays of texts: `["1","2"]`.
  * The type of an attribute is in `column_types`. An attribute may have another type in each item.
  * `NewImage` is the whole item after the change. An attribute that it lacks no longer exists.
  * With StreamViewType KEYS_ONLY or OLD_IMAGE, no record contains the item after an INSERT or
    MODIFY. Such an event has the key alone (`image` key).
  * A REMOVE has the deleted item in `OldImage`, or only its key.
  * Each record of `Records` becomes an event of its own. If one cannot be read, the whole message is
    rejected with its reason.
  * `SequenceNumber` orders the changes of an item. Its digits are split into three numbers. The
    stream's creation time, from its ARN, precedes them: a new stream follows the previous one.
  * Records of Kinesis Data Streams have `tableName` instead of the ARN, and no SequenceNumber. The
    document names `ApproximateCreationDateTime` as the order of an item's changes.
  * Records as GetRecords returns them have neither. The table has the topic's name.
  * `ApproximateCreationDateTime` has seconds, milliseconds or microseconds. The number of its digits
    decides.
  * The region is the database, and the account of the ARN is the tenant. A table's name is unique
    only there.

  Limits
  * Items in different shards have no common order. Changes in one partition therefore may arrive
    with any sequence, and a sequence that falls is no finding.
  * Two changes of an item in Kinesis Data Streams may share their time. The offset then orders them.
  * Items that DynamoDB deletes by their time to live are ordinary deletes.
  * Connectors with messages of their own are not read: Debezium-like envelopes around a text
    `document`, and images without types.
#}
{% macro format_dynamodb_streams() %}
    {%- set image = 'map<string, map<string, string>>' -%}
    {%- set record = {
        'eventName': 'string',
        'eventSource': 'string',
        'eventSourceARN': 'string',
        'tableName': 'string',
        'awsRegion': 'string',
        'dynamodb': {
            'ApproximateCreationDateTime': 'string',
            'Keys': image,
            'NewImage': image,
            'OldImage': image,
            'SequenceNumber': 'string',
            'StreamViewType': 'string',
        },
    } -%}

    {%- set changes -%}
    coalesce(
        dynamodb_streams.Records,
        array(struct(
            dynamodb_streams.eventName,
            dynamodb_streams.eventSource,
            dynamodb_streams.eventSourceARN,
            dynamodb_streams.tableName,
            dynamodb_streams.awsRegion,
            dynamodb_streams.dynamodb
        ))
    )
    {%- endset -%}

    {%- set arn_pattern = "r'^arn:[^:]*:dynamodb:([^:]*):([^:]*):table/([^/]+)(?:/stream/(.+))?\\z'" -%}
    {%- set arn_part = "nullif(regexp_extract(change.eventSourceARN, " ~ arn_pattern ~ ", {}), '')" -%}

    {#- GetRecords leaves the table to its caller. -#}
    {%- set table -%}
    coalesce(
        change.tableName,
        {{ arn_part.format(3) }},
        if(change.eventSourceARN is null and change.eventSource = 'aws:dynamodb', kafka_topic, null)
    )
    {%- endset -%}

    {#- A fraction or exponent has markers. -#}
    {%- set time_text = kafka_cdc.remove_number_markers(
        'change.dynamodb.ApproximateCreationDateTime',
        "coalesce(number_marker, '\\uFDD0')"
    ) -%}
    {%- set micros -%}
    case
        when seconds < 100000000000 then cast(seconds * 1000000 as bigint)
        when seconds < 100000000000000 then cast(seconds * 1000 as bigint)
        else cast(seconds as bigint)
    end
    {%- endset -%}

    {%- set digits = "lpad(change.dynamodb.SequenceNumber, 54, '0')" -%}
    {%- set source_sequence -%}
    case
        when nullif(change.dynamodb.SequenceNumber, '') is null then if(
            change.tableName is null or change.dynamodb.ApproximateCreationDateTime is null,
            null,
            array(micros)
        )
        when change.dynamodb.SequenceNumber rlike r'^[0-9]{1,54}\z' then array(
            coalesce(unix_micros({{ kafka_cdc.zoned_timestamp(arn_part.format(4), "'UTC'") | indent(12) }}), 0),
            cast(substring({{ digits }}, 1, 18) as bigint),
            cast(substring({{ digits }}, 19, 18) as bigint),
            cast(substring({{ digits }}, 37, 18) as bigint)
        )
        else array(null)
    end
    {%- endset -%}

    {%- set is_unreadable -%}
    exists(
        flatten(transform(
            array(change.dynamodb.Keys, change.dynamodb.NewImage, change.dynamodb.OldImage),
            image -> coalesce(map_values(image), array())
        )),
        value -> not coalesce(
            size(value) = 1
            and case map_keys(value)[0]
                when 'NULL' then value['NULL'] = 'true'
                when 'BOOL' then value['BOOL'] in ('true', 'false')
                when 'M' then startswith(value['M'], '{')
                when 'S' then value['S'] is not null
                when 'N' then value['N'] is not null
                when 'B' then value['B'] is not null
                when 'L' then startswith(value['L'], '[')
                when 'SS' then startswith(value['SS'], '[')
                when 'NS' then startswith(value['NS'], '[')
                when 'BS' then startswith(value['BS'], '[')
            end,
            false
        )
    )
    {%- endset -%}
    {%- set has_other_key -%}
    exists(map_keys(key_row), name -> new_row[name] <> key_row[name] or old_row[name] <> key_row[name])
    {%- endset -%}

    {%- set is_key_only = "new_row is null and change.dynamodb.StreamViewType in ('KEYS_ONLY', 'OLD_IMAGE')" -%}
    {%- set known_image = 'coalesce(change.dynamodb.NewImage, change.dynamodb.OldImage, change.dynamodb.Keys)' -%}
    {%- set column_types -%}
    map_filter(
        transform_values({{ known_image }}, (name, value) -> get(map_keys(value), 0)),
        (name, type) -> type <> 'NULL'
    )
    {%- endset -%}

    {%- set recognized -%}
    signature.eventSource = 'aws:dynamodb' or get(signature.Records, 0).eventSource = 'aws:dynamodb'
    {%- endset -%}

    {{ return({
        'fields': kafka_cdc.struct_fields(dict(
            record,
            Records='array<struct<' ~ kafka_cdc.struct_fields(record) ~ '>>'
        )),
        'recognized_by': {
            'signature': {'eventSource': 'string', 'Records': 'array<struct<eventSource: string>>'},
            'condition': recognized,
        },
        'changes': changes,
        'variables': {
            'seconds': 'try_cast(' ~ time_text ~ ' as decimal(38, 6))',
            'micros': micros,
            'key_row': kafka_cdc._dynamodb_streams_row('change.dynamodb.Keys'),
            'new_row': kafka_cdc._dynamodb_streams_row('change.dynamodb.NewImage'),
            'old_row': kafka_cdc._dynamodb_streams_row('change.dynamodb.OldImage'),
        },
        'required': {
            'eventName': 'change.eventName',
            'eventSourceARN': table,
            'Keys': 'if(size(key_row) > 0, true, null)',
        },
        'rejects': [
            {
                'condition': is_unreadable,
                'detail': 'a value is not an object with one documented type.',
            },
            {
                'condition': has_other_key,
                'detail': 'an image has another key than Keys.',
            },
        ],
        'orders_rows_only': 'true',
        'columns': {
            'source_name': 'null',
            'source_database_type': "'dynamodb'",
            'source_tenant': arn_part.format(2),
            'source_database': 'coalesce(' ~ arn_part.format(1) ~ ', change.awsRegion)',
            'source_schema': 'null',
            'source_table': table,
            'operation': kafka_cdc.map_operation('change.eventName', {
                'INSERT': 'insert',
                'MODIFY': 'update',
                'REMOVE': 'delete',
            }),
            'operation_code': 'change.eventName',
            'occurred_at': kafka_cdc.epoch_timestamp('micros', 'us'),
            'emitted_at': 'null',
            'source_sequence': source_sequence,
            'key_columns': 'map_keys(key_row)',
            'before_row': "case change.eventName when 'MODIFY' then old_row "
                ~ "when 'REMOVE' then coalesce(old_row, key_row) end",
            'after_row': "if(change.eventName = 'REMOVE', null, if(" ~ is_key_only ~ ', key_row, new_row))',
            'image': 'if(' ~ is_key_only ~ ", 'key', 'full')",
            'removed_columns': 'null',
            'column_types': column_types,
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{# Prints an expression: the row of an image, an attribute's name to the text of its value. #}
{% macro _dynamodb_streams_row(image) -%}
    transform_values({{ image }}, (name, value) -> if(map_contains_key(value, 'NULL'), null, get(map_values(value), 0)))
{%- endmacro %}
