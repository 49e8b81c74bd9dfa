{#
  Debezium, JSON, of the MongoDB connector, with or without the schema envelope.

  It reads every capture mode of change streams, and the updates that Debezium 0.10 to 1.9 reads from
  the oplog. The format covers inserts, updates, deletes, snapshots, transactions and heartbeats.
  Document: Debezium 1.x to 3.x reference, MongoDB connector, "Data change events"; MongoDB 4.4,
  "Replica Set Oplog" (the operators `$set` and `$unset`).

    key:   {"id": "1004"}
    value: {"after": "{\"_id\": {\"$numberLong\": \"1004\"},\"first_name\": \"Anne\"}",
            "updateDescription": null,
            "source": {"connector": "mongodb", "name": "fulfillment", "ts_ms": 1558965508000,
                       "db": "inventory", "collection": "customers", "ord": 31},
            "op": "c", "ts_ms": 1558965515240}

  Quirks
  * `before`, `after` and `updatedFields` are texts of Extended JSON. The values of a row stay
    typed JSON text.
  * The Kafka key writes `_id` in another form than the documents: `1004` for `{"$numberLong":
    "1004"}`. Every message has this form, so `_id` of a row is the key's if the key is JSON.
  * If the Kafka key is not JSON, `_id` is the document's own.
  * `after` of an update is looked up later and may contain later changes.
  * With `capture.mode=change_streams` an update has no `after`. It is then partial. Its paths, such as
    `address.city`, stay paths in the changelog. The state applies them, and `truncatedArrays`, to
    the documents of the row.
  * An update from the oplog has `patch` instead of updateDescription. It is the whole document, or the
    operators `$set` and `$unset`. One with other operators, or with the `diff` of MongoDB 5.0, is
    rejected.
  * `source.ts_ms` and `ord` are the position in the oplog. All changes of a transaction have the
    same position, and the offset orders them.
  * `ts_ms` is the time of a clock in snapshots since Debezium 3.1 (DBZ-8708) and in changes since 3.4
    (DBZ-9683). Such messages have no position: snapshots sort before the changes that have one, and
    the offset orders changes.

  Limits
  * An upgrade to Debezium 3.4 holds the tables, because only older changes have a position: set
    `order_by: offset` for them.
  * `auto` reads transactions and heartbeats as `debezium`, because they name no connector.
  * A dot in the name of a field is read as a path, because Debezium does not pass on
    `disambiguatedPaths`.
#}
{% macro format_debezium_mongodb() %}
    {%- set source = dict.fromkeys(['connector', 'version', 'name', 'ts_ms', 'db', 'collection', 'ord'], 'string') -%}
    {%- set change = dict(
        dict.fromkeys(['op', 'ts_ms', 'status', 'id', 'before', 'after', 'patch', 'filter'], 'string'),
        source=source,
        updateDescription=kafka_cdc.get_mongodb_update_description(),
    ) -%}
    {%- set signature = {'source': {'connector': 'string'}} -%}

    {%- set is_row = "change.op in ('c', 'u', 'd', 'r')" -%}
    {%- set has_no_document = "change.op = 'u' and change.after is null and not is_replacement" -%}

    {#- An update from the oplog: the document after it, or the operators that changed it. -#}
    {%- set is_patch = "coalesce(change.op = 'u' and change.after is null "
        ~ 'and change.updateDescription is null and size(patch) > 0, false)' -%}
    {%- set is_replacement -%}
    is_patch and map_contains_key(patch, '_id') and not exists(map_keys(patch), name -> startswith(name, '$'))
    {%- endset -%}
    {%- set has_operators -%}
    is_patch
    and size(array_except(map_keys(patch), array('$v', '$set', '$unset'))) = 0
    and coalesce(patch['$v'], '1') = '1'
    and not exists(sequence(0, 1), at -> operators[at] is null and map_contains_key(patch, array('$set', '$unset')[at]))
    {%- endset -%}

    {%- set key_id = "from_json(kafka_key, 'id string, payload struct<id: string>', "
        ~ kafka_cdc.get_json_options() ~ ')' -%}
    {%- set key_text = "concat('{\"_id\":', coalesce(key_id.payload.id, key_id.id), '}')" -%}
    {%- set key_document = 'if(size(documents[0]) = 1, documents[0], null)' -%}

    {#- The position in the oplog, unless ts_ms is the time of a clock. -#}
    {%- set version_number -%}
    coalesce(
        1000 * try_cast(regexp_extract(change.source.version, '^([0-9]{1,4})[.]', 1) as int)
        + try_cast(regexp_extract(change.source.version, '^[0-9]{1,4}[.]([0-9]{1,3})', 1) as int),
        0
    )
    {%- endset -%}
    {%- set source_sequence -%}
    if(
        {{ version_number }} >= if(change.op = 'r', 3001, 3004),
        null,
        {{ kafka_cdc.sequence_array(['change.source.ts_ms', 'change.source.ord']) }}
    )
    {%- endset -%}

    {%- set operation -%}
    case
        when change.op is not null
            then {{ kafka_cdc.map_operation('change.op', kafka_cdc.get_debezium_operations()) }}
        when change.status in ('BEGIN', 'END') then 'transaction'
        when change.ts_ms is not null and {{ kafka_cdc.debezium_heartbeat_condition() | indent(8) }}
            then 'heartbeat'
    end
    {%- endset -%}

    {%- set after_row -%}
    if(
        {{ has_no_document }},
        if(
            not coalesce(exists(shortened_arrays, shortened -> shortened.new_size is null), false),
            map_concat(
                coalesce(
                    key_document,
                    map_filter(coalesce(before_document, documents[5]), (name, text) -> name = '_id')
                ),
                map_filter(updated, (name, text) -> name <> '_id')
            ),
            null
        ),
        after_document
    )
    {%- endset -%}

    {%- set removed -%}
    if(
        has_operators,
        if(size(operators[1]) > 0, map_keys(operators[1]), null),
        {{ kafka_cdc.mongodb_removed_columns(has_no_document) | indent(8) }}
    )
    {%- endset -%}

    {{ return({
        'fields': kafka_cdc.struct_fields(dict(change, payload=change)),
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': "coalesce(signature.payload.source.connector, signature.source.connector) = 'mongodb'",
        },
        'variables': {
            'change': kafka_cdc.payload_or_message('debezium_mongodb', change),
            'key_id': key_id,
            'documents': kafka_cdc.read_documents(
                'array(' ~ key_text ~ ', change.before, change.after, change.updateDescription.updatedFields, '
                ~ 'change.patch, change.filter)'
            ),
            'key_document': key_document,
            'patch': 'documents[4]',
            'is_patch': is_patch,
            'is_replacement': is_replacement,
            'operators': kafka_cdc.read_documents("array(patch['$set'], patch['$unset'])"),
            'has_operators': has_operators,
            'before_document': kafka_cdc._debezium_mongodb_document('documents[1]'),
            'after_document': kafka_cdc._debezium_mongodb_document('if(is_replacement, patch, documents[2])'),
            'updated': 'if(has_operators, coalesce(operators[0], cast(map() as map<string, string>)), '
                ~ kafka_cdc.mongodb_updated_fields('documents[3]') ~ ')',
            'removed': removed,
            'shortened_arrays': kafka_cdc.mongodb_shortened_arrays(),
        },
        'required': {
            'source': 'if(change.op is null or change.source is not null, true, null)',
            'source.db': "if(change.op is null, '', change.source.db)",
            'source.collection': 'if(' ~ is_row ~ ", change.source.collection, '')",
            'updateDescription': 'if(' ~ has_no_document
                ~ ' and change.updateDescription is null and not has_operators, null, true)',
        },
        'rejects': [
            {
                'condition': "key_document is not null and not map_contains_key(documents[2], '_id')",
                'detail': 'after has no _id.',
            },
        ],
        'paths': kafka_cdc.mongodb_paths(has_no_document, 'removed'),
        'tombstone_key': kafka_cdc.sql_let(
            {'key_id': key_id, 'documents': kafka_cdc.read_documents('array(' ~ key_text ~ ')')},
            key_document
        ),
        'columns': {
            'source_name': 'change.source.name',
            'source_database_type': 'change.source.connector',
            'source_tenant': 'null',
            'source_database': 'change.source.db',
            'source_schema': 'null',
            'source_table': 'change.source.collection',
            'operation': operation,
            'operation_code': 'coalesce(change.op, change.status)',
            'occurred_at': kafka_cdc.epoch_timestamp('change.source.ts_ms'),
            'emitted_at': kafka_cdc.epoch_timestamp('change.ts_ms'),
            'source_sequence': source_sequence,
            'key_columns': "array('_id')",
            'before_row': "if(change.op = 'd', coalesce(before_document, key_document), before_document)",
            'after_row': after_row,
            'image': 'if(' ~ has_no_document ~ ", 'partial', 'full')",
            'removed_columns': 'removed',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{# Prints an expression: a document with `_id` as the Kafka key writes it, if the message has a key. #}
{% macro _debezium_mongodb_document(document) -%}
    if(
        key_document is null,
        {{ document }},
        map_concat(key_document, map_filter({{ document }}, (name, text) -> name <> '_id'))
    )
{%- endmacro %}
