{#
  OceanBase Migration Service (OMS), serializations Default and DefaultExtendColumnType.

  DefaultExtendColumnType adds `__light_type` to the images. The format covers inserts, updates,
  deletes, the full copy (ROW), DDL and heartbeats.
  Document: OMS, "Data formats", "Default JSON message format" and "DefaultExtendColumnType JSON
  message format"; Alibaba Cloud, "Sync data from an OceanBase database to Kafka" (LOB columns).

    {"prevStruct": null,
     "postStruct": {"col1": 3, "col2": 129, "__light_type": {"col1": {"schemaType": "TINYINT"}}},
     "allMetaData": {"checkpoint": null, "record_primary_key": "col1\u0001col2",
                     "record_primary_value": "3\u0001129", "source_identity": null,
                     "dbType": "OB_MYSQL", "storeDataSequence": 160934467112345,
                     "table_name": "table_name", "db": "tenant.database",
                     "timestamp": "1609344671"}, "recordType": "INSERT"}

  Quirks
  * The document separates key columns by "/u0001". Messages have the character U+0001. Both are read.
  * The document's examples name the key int8 and int16, which are no columns of their rows. The key's
    values are then in `record_primary_value`. They are no part of the row.
  * `db` of an OceanBase source is tenant.database. The part before the first dot is the tenant.
    Without a dot there is none.
  * `storeDataSequence` orders changes. It is ten digits of seconds and a counter of up to five
    digits, which is not padded. The two parts are compared separately.
  * `storeDataSequence` exists only with `sequenceEnabled`. Without it the offset orders changes,
    never `timestamp`.
  * ROW is the full copy. It has neither a sequence nor a time.
  * The statement of a DDL is `postStruct.ddl`. A HEARTBEAT has no image.
  * A large value (all TEXT types, JSON, GIS, XML, UDT) that an update did not change is null, before
    and after it. Such a column that is null in both images is therefore missing, and the image is
    partial. So is one that is null in a deleted row. Without types any column may be such.
  * `__light_type` is no column. It contains the columns' types.
  * `auto` recognizes the format by `allMetaData`, which no other format has.

  Limits
  * An update that sets a large value to NULL may look like one that did not change it. The old value
    then stays.
  * OMS also has the serializations Debezium, DebeziumFlatten, DebeziumSmt and Avro for tenants in
    MySQL mode, and Maxwell in the Community Edition. No sample of them was available. Messages that
    differ from `debezium`, `debezium_unwrapped` and `maxwell` are rejected. Avro is not read.
  * A position of more than 15 digits is rejected as `invalid_sequence`. The document allows no
    longer one. With times in milliseconds, the parts of shorter ones would be unknown, too.
  * A key whose values are only in `record_primary_value` does not show that an update changed it.
  * A second full copy (ROW) has no position. It sorts before all changes and repairs nothing until
    an entry of `sequence_resets` names its first message.
#}
{% macro format_oceanbase_oms_default() %}
    {%- set message = 'oceanbase_oms_default' -%}
    {%- set meta = message ~ '.allMetaData' -%}
    {%- set type = message ~ '.recordType' -%}
    {%- set is_row = type ~ " in ('INSERT', 'UPDATE', 'DELETE', 'ROW')" -%}

    {%- set has_tenant -%}
    {{ meta }}.dbType in ('OB_MYSQL', 'OB_ORACLE', 'OCEANBASE', 'OB_IN_ORACLE_MODE') and {{ meta }}.db like '%.%'
    {%- endset -%}

    {%- set light_types -%}
    from_json(
        coalesce(
            try_element_at({{ message }}.postStruct, '__light_type'),
            try_element_at({{ message }}.prevStruct, '__light_type')
        ),
        'map<string, struct<schemaType: string>>'
    )
    {%- endset -%}

    {%- set types = 'transform_values(light_types, (name, definition) -> definition.schemaType)' -%}

    {#- The key columns that no image has, with their values. -#}
    {%- set key_values -%}
    if(
        size(key_names) = size(split({{ meta }}.record_primary_value, r'\x01|/u0001', -1))
        and not array_contains(split({{ meta }}.record_primary_value, r'\x01|/u0001', -1), ''),
        map_filter(
            {{ kafka_cdc.safe_map_from_arrays(
                'key_names',
                'split(' ~ meta ~ ".record_primary_value, r'\\x01|/u0001', -1)"
            ) | indent(12) }},
            (name, text) -> not coalesce(map_contains_key({{ message }}.prevStruct, name), false)
                and not coalesce(map_contains_key({{ message }}.postStruct, name), false)
        ),
        null
    )
    {%- endset -%}

    {%- set source_sequence -%}
    case
        when {{ meta }}.storeDataSequence <> ''
            then {{ kafka_cdc.oceanbase_oms_sequence(meta ~ '.storeDataSequence') | indent(12) }}
    end
    {%- endset -%}

    {{ return({
        'fields': 'prevStruct map<string, string>, postStruct map<string, string>, recordType string, '
            ~ 'allMetaData struct<record_primary_key string, dbType string, storeDataSequence string, '
            ~ 'record_primary_value string, table_name string, db string, timestamp string>',
        'variables': {
            'light_types': light_types,
            'key_names': 'split(nullif(' ~ meta ~ ".record_primary_key, ''), r'\\x01|/u0001', -1)",
            'key_values': key_values,
            'previous': kafka_cdc._oceanbase_oms_row(message ~ '.prevStruct'),
            'posterior': kafka_cdc._oceanbase_oms_row(message ~ '.postStruct'),
            'known': 'if(' ~ type ~ " = 'UPDATE', "
                ~ kafka_cdc.oceanbase_oms_known_columns('posterior', 'key_names', types, 'previous') ~ ', posterior)',
        },
        'recognized_by': {
            'signature': {'recordType': 'string', 'allMetaData': {'db': 'string'}},
            'condition': 'signature.recordType is not null and signature.allMetaData is not null',
        },
        'required': {
            'recordType': type,
            'allMetaData': meta,
            'allMetaData.dbType': 'if(' ~ is_row ~ ' and ' ~ meta ~ ".db like '%.%', " ~ meta ~ ".dbType, '')",
            'allMetaData.db': 'if(' ~ is_row ~ ', ' ~ meta ~ ".db, '')",
            'allMetaData.table_name': 'if(' ~ is_row ~ ', ' ~ meta ~ ".table_name, '')",
            'prevStruct': 'if(' ~ type ~ " = 'UPDATE' and coalesce(size(previous), 0) < 1, null, true)",
            'postStruct.ddl': 'if(' ~ type ~ " = 'DDL', try_element_at(" ~ message ~ ".postStruct, 'ddl'), '')",
        },
        'rejects': [
            {
                'condition': type ~ " in ('INSERT', 'ROW') and size(previous) > 0",
                'detail': 'an INSERT or ROW has a prevStruct.',
            },
            {
                'condition': type ~ " = 'DELETE' and size(posterior) > 0",
                'detail': 'a DELETE has a postStruct.',
            },
        ],
        'hidden_columns': 'map_keys(key_values)',
        'columns': {
            'source_name': 'null',
            'source_database_type': meta ~ '.dbType',
            'source_tenant': 'if(' ~ has_tenant ~ ', substring_index(' ~ meta ~ ".db, '.', 1), null)",
            'source_database': 'if(' ~ has_tenant ~ ', substring(' ~ meta ~ '.db, instr(' ~ meta ~ ".db, '.') + 1), "
                ~ meta ~ '.db)',
            'source_schema': 'null',
            'source_table': meta ~ '.table_name',
            'operation': kafka_cdc.map_operation(type, {
                'INSERT': 'insert',
                'UPDATE': 'update',
                'DELETE': 'delete',
                'ROW': 'snapshot',
                'DDL': 'ddl',
                'HEARTBEAT': 'heartbeat',
            }),
            'operation_code': type,
            'occurred_at': kafka_cdc.epoch_timestamp(meta ~ '.timestamp', 's'),
            'emitted_at': 'null',
            'source_sequence': source_sequence,
            'key_columns': 'key_names',
            'before_row': 'if(' ~ type ~ " in ('UPDATE', 'DELETE'), "
                ~ kafka_cdc.oceanbase_oms_known_columns('previous', 'key_names', types) ~ ', null)',
            'after_row': 'if(' ~ type ~ " = 'DELETE', null, known)",
            'image': "if(size(known) < size(posterior), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': types,
            'ddl_text': 'if(' ~ type ~ " = 'DDL', try_element_at(" ~ message ~ ".postStruct, 'ddl'), null)",
        },
    }) }}
{% endmacro %}

{#
  Prints an expression: an image without `__light_type`, which contains the types of its columns.

  The key columns that no image has are added.
#}
{% macro _oceanbase_oms_row(image) -%}
    {%- set columns -%}
    if(
        size({{ image }}) > 0 and size(key_values) > 0,
        {{ kafka_cdc.merge_rows('key_values', image) | indent(8) }},
        {{ image }}
    )
    {%- endset -%}
    if(
        not map_contains_key({{ image }}, '__light_type'),
        {{ columns }},
        map_filter({{ columns }}, (name, text) -> name <> '__light_type')
    )
{%- endmacro %}
