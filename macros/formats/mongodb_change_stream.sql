{#
  MongoDB change streams as the MongoDB Kafka source connector writes them.

  CKafka and other services run this connector. Its messages come from any of its JSON formatters,
  through the string converter or the JSON converter. They may also come from its default schema and
  the JSON converter, with or without the envelope. The format covers inserts, updates, replacements, deletes,
  the copy of existing documents, DDL and invalidations.
  Document: MongoDB Manual 8.0, "Change Events"; MongoDB Kafka Connector 2.0, source connector.

    {"_id": {"_data": "8264650c"}, "operationType": "update",
     "clusterTime": {"$timestamp": {"t": 1684344064, "i": 1}},
     "ns": {"db": "engineering", "coll": "users"},
     "documentKey": {"_id": {"$oid": "58a4eb4a30c75625e00d2820"}},
     "updateDescription": {"updatedFields": {"email": "alice@10gen.com"},
                           "removedFields": ["phoneNumber"], "truncatedArrays": []}}

  Quirks
  * After a collection is sharded, `documentKey` also has the shard key. The row's key is `_id`
    alone, before and after.
  * `fullDocument` of an update is looked up later. It may contain later changes, and it is null if
    the document no longer exists.
  * An update without `fullDocument` is partial. Its paths, such as `address.city`, stay paths in the
    changelog. The state applies them, and `truncatedArrays`, to the documents of the row.
  * A rename that replaces another collection drops that collection. Only messages with
    `showExpandedEvents` show it (`operationDescription.dropTarget`).
  * The JSON converter writes the event as a text, which contains JSON: `"{\"_id\": …}"`, or in the
    envelope `{"schema": {"type": "string"}, "payload": "{\"_id\": …}"}`. `auto` recognizes such
    messages if the Kafka key is the `_id` of the event, as it is by default.
  * A program of Node.js writes clusterTime as the text of one number, `{"$timestamp": "7233…"}`.
  * Documents that the connector copies at its start are inserts with `copyingData` in `_id` and
    without `clusterTime`. They become snapshot events.
  * `clusterTime` orders changes. All changes of a transaction have the same clusterTime, and the
    offset orders them. Times never do.
  * If the connector publishes full documents only, the change event is missing. Such messages are
    rejected as `unknown_format`.

  Limits
  * Names with dots are read as such if the message has `disambiguatedPaths`. The server writes it with
    `showExpandedEvents`.
#}
{% macro format_mongodb_change_stream() %}
    {%- set texts = [
        '_id', 'operationType', 'clusterTime', 'wallTime', 'documentKey', 'fullDocument', 'fullDocumentBeforeChange',
        'operationDescription',
    ] -%}
    {%- set change = dict(
        dict.fromkeys(texts, 'string'),
        ns={'db': 'string', 'coll': 'string'},
        to={'db': 'string', 'coll': 'string'},
        updateDescription=kafka_cdc.get_mongodb_update_description(),
    ) -%}
    {%- set signature = {'_id': 'string', 'operationType': 'string'} -%}
    {%- set recognized -%}
    coalesce(signature.payload.operationType, signature.operationType) is not null
    and coalesce(signature.payload._id, signature._id) is not null
    {%- endset -%}

    {%- set is_row = "change.operationType in ('insert', 'update', 'replace', 'delete')" -%}
    {%- set is_copied = "coalesce(change._id rlike r'\"copyingData\": *true', false)" -%}
    {%- set has_no_document = "change.operationType = 'update' and change.fullDocument is null" -%}

    {%- set position_pattern = "r'^\\{\"\\$timestamp\": *\\{\"t\": *([0-9]{1,18}), *\"i\": *([0-9]{1,18})\\}\\}\\z'" -%}
    {#- One number has the seconds in its high 32 bits. The first digit keeps it below 2^63. -#}
    {%- set number_pattern = "r'^\\{\"\\$timestamp\": *\"([1-8][0-9]{18})\"\\}\\z'" -%}
    {%- set number = 'try_cast(regexp_extract(change.clusterTime, ' ~ number_pattern ~ ', 1) as bigint)' -%}
    {%- set seconds = 'coalesce(cast(shiftright(' ~ number ~ ', 32) as string), '
        ~ 'regexp_extract(change.clusterTime, ' ~ position_pattern ~ ', 1))' -%}
    {%- set increment = 'coalesce(cast(' ~ number ~ ' & 4294967295 as string), '
        ~ 'regexp_extract(change.clusterTime, ' ~ position_pattern ~ ', 2))' -%}

    {%- set ddl_targets -%}
    array_compact(array(
        if(
            get_json_object(change.operationDescription, '$.dropTarget') is not null,
            {{ kafka_cdc._mongodb_collection_name('change.`to`') }},
            null
        ),
        case change.operationType
            when 'dropDatabase' then {{ kafka_cdc._mongodb_quoted_name('change.ns.db') }} || '.'
            when 'rename' then {{ kafka_cdc._mongodb_collection_name('change.ns') }} || ' to '
                || {{ kafka_cdc._mongodb_collection_name('change.`to`') }}
            else {{ kafka_cdc._mongodb_collection_name('change.ns') }}
        end
    ))
    {%- endset -%}

    {%- set operation -%}
    if(
        change.operationType = 'insert' and {{ is_copied }},
        'snapshot',
        {{ kafka_cdc.map_operation('change.operationType', {
            'insert': 'insert',
            'update': 'update',
            'replace': 'update',
            'delete': 'delete',
            'create': 'create',
            'drop': 'drop',
            'dropDatabase': 'drop',
            'rename': 'rename',
            'createIndexes': 'index',
            'dropIndexes': 'index',
            'modify': 'alter',
            'shardCollection': 'alter',
            'refineCollectionShardKey': 'alter',
            'reshardCollection': 'alter',
            'invalidate': 'other',
        }) }}
    )
    {%- endset -%}

    {%- set after_row -%}
    case
        when change.operationType = 'delete' then null
        when not ({{ has_no_document }}) then after_document
        when not coalesce(exists(shortened_arrays, shortened -> shortened.new_size is null), false)
            then map_concat(
                map_filter(key_document, (name, text) -> name = '_id'),
                map_filter(updated, (name, text) -> name <> '_id')
            )
    end
    {%- endset -%}

    {{ return({
        'fields': kafka_cdc.struct_fields(dict(change, payload=change)),
        'frames': {
            'condition': "(contains(key, '\"_data') or contains(key, '\"copyingData'))",
            'unpacked': kafka_cdc._mongodb_change_stream_text(),
        },
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': recognized,
        },
        'variables': {
            'change': kafka_cdc.payload_or_message('mongodb_change_stream', change),
            'documents': kafka_cdc.read_documents(
                'array(change.documentKey, change.fullDocumentBeforeChange, change.fullDocument, '
                ~ 'change.updateDescription.updatedFields)'
            ),
            'key_document': 'documents[0]',
            'after_document': 'documents[2]',
            'updated': kafka_cdc.mongodb_updated_fields('documents[3]'),
            'shortened_arrays': kafka_cdc.mongodb_shortened_arrays(),
        },
        'required': {
            'operationType': 'change.operationType',
            '_id': "if(change._id is null or startswith(change._id, '{'), true, null)",
            'ns.db': "if(change.operationType = 'invalidate', '', change.ns.db)",
            'ns.coll': "if(change.operationType in ('invalidate', 'dropDatabase'), '', change.ns.coll)",
            'to': "if(change.operationType <> 'rename' "
                ~ 'or change.`to`.db is not null and change.`to`.coll is not null, true, null)',
            'documentKey': 'if(' ~ is_row ~ ' and key_document is null, null, true)',
            'updateDescription': 'if(' ~ has_no_document ~ ' and change.updateDescription is null, null, true)',
        },
        'rejects': [
            {
                'condition': "change.operationType <> 'delete' and key_document['_id'] <> after_document['_id']",
                'detail': 'documentKey and fullDocument have different _id.',
            },
        ],
        'ddl_targets': ddl_targets,
        'paths': kafka_cdc.mongodb_paths(has_no_document, 'change.updateDescription.removedFields'),
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mongodb'",
            'source_tenant': 'null',
            'source_database': 'change.ns.db',
            'source_schema': 'null',
            'source_table': 'change.ns.coll',
            'operation': operation,
            'operation_code': 'change.operationType',
            'occurred_at': 'coalesce(' ~ kafka_cdc._mongodb_wall_time('change.wallTime') ~ ', '
                ~ kafka_cdc.epoch_timestamp(seconds, 's') ~ ')',
            'emitted_at': 'null',
            'source_sequence': kafka_cdc.sequence_array([seconds, increment], position='change.clusterTime'),
            'key_columns': "array('_id')",
            'before_row': "coalesce(documents[1], if(change.operationType = 'delete', key_document, null))",
            'after_row': after_row,
            'image': 'if(' ~ has_no_document ~ ", 'partial', 'full')",
            'removed_columns': kafka_cdc.mongodb_removed_columns(has_no_document),
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{#
  Prints an expression: the JSON in a message that is a JSON text, null if the message is none.

  The message is a text, or the envelope of one. Its escapes may contain no half of a surrogate pair,
  because Spark would replace it.
#}
{% macro _mongodb_change_stream_text() -%}
    {%- set string -%} ("[^"\\]*+(?:\\.[^"\\]*+)*+") {%- endset -%}
    {%- set schema -%} "schema"\s*+:\s*+(?:null|\{[^{}]*+\})\s*+,\s*+"payload"\s*+:\s*+ {%- endset -%}
    {%- set literal -%}
    nullif(
        concat(
            regexp_extract(value, r'^\s*+{{ string }}\s*+\z', 1),
            regexp_extract(value, r'^\s*+\{\s*+{{ schema }}{{ string }}\s*+\}\s*+\z', 1)
        ),
        ''
    )
    {%- endset -%}
    {%- set text = "get(from_json(concat('[', literal, ']'), 'array<string>', " ~ kafka_cdc.get_json_options()
        ~ '), 0)' -%}
    {%- set is_object = "text rlike r'^\\s*+\\{' and not (" ~ kafka_cdc.lone_surrogate_condition('literal') ~ ')' -%}

    if(
        value rlike r'^\s*+(?:"|\{\s*+{{ schema }}")',
        {{ kafka_cdc.sql_let(
            {'literal': literal, 'text': text},
            'if(' ~ is_object ~ ', struct(text, cast(null as string) as problem), null)'
        ) | indent(8) }},
        null
    )
{%- endmacro %}

{# Prints an expression: the name of a collection, quoted as in a statement. #}
{% macro _mongodb_collection_name(namespace) -%}
    {{ kafka_cdc._mongodb_quoted_name(namespace ~ '.db') }} || '.'
        || {{ kafka_cdc._mongodb_quoted_name(namespace ~ '.coll') }}
{%- endmacro %}

{# Prints an expression: a name in backticks. #}
{% macro _mongodb_quoted_name(name) -%}
    '`' || replace({{ name }}, '`', '``') || '`'
{%- endmacro %}

{#
  Prints an expression: the timestamp of a date in the text of any of the formatters.

  It is epoch milliseconds, bare or in `$date` or `$numberLong`, or ISO text.
#}
{% macro _mongodb_wall_time(text) -%}
    {%- set milliseconds = 'regexp_extract(' ~ text ~ ", r'^[^0-9-]*+(-?[0-9]++)[\"}]*+\\z', 1)" -%}
    coalesce(
        {{ kafka_cdc.epoch_timestamp(milliseconds) | indent(8) }},
        try_cast(regexp_extract({{ text }}, r'([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z)', 1) as timestamp)
    )
{%- endmacro %}
