{#
  MongoDB change streams as the MongoDB Kafka source connector writes them, also of CKafka and others who run it: any of its JSON
  formatters, or its default schema through the JSON converter, with or without the envelope.
  Document: MongoDB Manual 8.0, "Change Events"; MongoDB Kafka Connector 2.0, source connector.

    {"_id": {"_data": "8264650c"}, "operationType": "update", "clusterTime": {"$timestamp": {"t": 1684344064, "i": 1}},
     "ns": {"db": "engineering", "coll": "users"}, "documentKey": {"_id": {"$oid": "58a4eb4a30c75625e00d2820"}},
     "updateDescription": {"updatedFields": {"email": "alice@10gen.com"}, "removedFields": ["phoneNumber"], "truncatedArrays": []}}

  Quirks
  * documentKey has the shard key beside _id once a collection is sharded: the key is _id alone, the same before and after.
  * fullDocument of an update is looked up later: it may say more than the update did, or be null where the document is gone.
    Without it the update is partial; paths stay paths. A truncated array that only updateDescription tells needs the document.
  * A rename over another collection says so with showExpandedEvents alone (operationDescription.dropTarget): it drops that one.
  * Rows that the connector copies at its start are inserts with copyingData in _id and no clusterTime.
  * clusterTime orders; changes of one transaction share it, then the offset decides. Times never order.
  * Published with full documents only, without the change event, no message says what happened: unknown_format.
#}
{% macro format_mongodb_change_stream() %}
    {%- set change = dict(dict.fromkeys(['_id', 'operationType', 'clusterTime', 'wallTime', 'documentKey', 'fullDocument',
        'fullDocumentBeforeChange', 'operationDescription'], 'string'), ns={'db': 'string', 'coll': 'string'}, to={'db': 'string', 'coll': 'string'},
        updateDescription=kafka_cdc.get_mongodb_update_description()) -%}
    {%- set signature = {'_id': 'string', 'operationType': 'string'} -%}
    {%- set is_row = "change.operationType in ('insert', 'update', 'replace', 'delete')" -%}
    {%- set has_no_document = "change.operationType = 'update' and change.fullDocument is null" -%}
    {%- set is_copied = "coalesce(change._id rlike r'\"copyingData\": *true', false)" -%}
    {%- set position = "regexp_extract(change.clusterTime, r'^\\{\"\\$timestamp\": *\\{\"t\": *([0-9]{1,18}), *\"i\": *([0-9]{1,18})\\}\\}\\z', " -%}
    {{ return({
        'fields': kafka_cdc.struct_fields(dict(change, payload=change)),
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': 'coalesce(signature.payload.operationType, signature.operationType) is not null '
                ~ 'and coalesce(signature.payload._id, signature._id) is not null',
        },
        'variables': {
            'change': kafka_cdc.payload_or_message('mongodb_change_stream', change),
            'documents': kafka_cdc.read_documents('array(change.documentKey, change.fullDocumentBeforeChange, change.fullDocument, change.updateDescription.updatedFields)'),
            'key_document': 'documents[0]',
            'after_document': 'documents[2]',
            'updated': kafka_cdc.mongodb_updated_fields('documents[3]'),
        },
        'required': {
            'operationType': 'change.operationType',
            'clusterTime': "if(change.operationType = 'insert' and " ~ is_copied ~ ", '', change.clusterTime)",
            'ns.db': "if(change.operationType = 'invalidate', '', change.ns.db)",
            'ns.coll': "if(change.operationType in ('invalidate', 'dropDatabase'), '', change.ns.coll)",
            'to': "if(change.operationType <> 'rename' or change.`to`.db is not null and change.`to`.coll is not null, true, null)",
            'documentKey': 'if(' ~ is_row ~ ' and key_document is null, null, true)',
            'updateDescription': 'if(' ~ has_no_document ~ ' and change.updateDescription is null, null, true)',
        },
        'rejects': [
            {'condition': "change.operationType <> 'delete' and key_document['_id'] <> after_document['_id']",
             'detail': 'documentKey and fullDocument have different _id.'},
        ],
        'ddl_targets': "array_compact(array(if(get_json_object(change.operationDescription, '$.dropTarget') is not null, " ~ kafka_cdc._collection('change.`to`') ~ ', null), '
            ~ "case change.operationType when 'dropDatabase' then " ~ kafka_cdc._in_backticks('change.ns.db') ~ " || '.' when 'rename' then "
            ~ kafka_cdc._collection('change.ns') ~ " || ' to ' || " ~ kafka_cdc._collection('change.`to`') ~ ' else ' ~ kafka_cdc._collection('change.ns') ~ ' end))',
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mongodb'",
            'source_tenant': 'null',
            'source_database': 'change.ns.db',
            'source_schema': 'null',
            'source_table': 'change.ns.coll',
            'operation': "if(change.operationType = 'insert' and " ~ is_copied ~ ", 'snapshot', " ~ kafka_cdc.map_operation('change.operationType', {
                'insert': 'insert', 'update': 'update', 'replace': 'update', 'delete': 'delete', 'create': 'create', 'drop': 'drop',
                'dropDatabase': 'drop', 'rename': 'rename', 'createIndexes': 'index', 'dropIndexes': 'index', 'modify': 'alter',
                'shardCollection': 'alter', 'refineCollectionShardKey': 'alter', 'reshardCollection': 'alter', 'invalidate': 'other',
            }) ~ ')',
            'operation_code': 'change.operationType',
            'occurred_at': 'coalesce(' ~ kafka_cdc._wall_time('change.wallTime') ~ ', ' ~ kafka_cdc.epoch_timestamp(position ~ '1)', 's') ~ ')',
            'emitted_at': 'null',
            'source_sequence': 'case when change.clusterTime is not null then ' ~ kafka_cdc.sequence_array([position ~ '1)', position ~ '2)']) ~ ' end',
            'key_columns': "array('_id')",
            'before_row': "coalesce(documents[1], if(change.operationType = 'delete', key_document, null))",
            'after_row': "case when change.operationType = 'delete' then null when not (" ~ has_no_document ~ ') then after_document'
                ~ ' when coalesce(size(change.updateDescription.truncatedArrays), 0) < 1 then '
                ~ "map_concat(map_filter(key_document, (name, text) -> name = '_id'), map_filter(updated, (name, text) -> name <> '_id')) end",
            'image': 'if(' ~ has_no_document ~ ", 'partial', 'full')",
            'removed_columns': kafka_cdc.mongodb_removed_columns(has_no_document),
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{# Prints SQL for the name of a collection, in backticks as in a statement. #}
{% macro _collection(names) -%}
    {{ kafka_cdc._in_backticks(names ~ '.db') }} || '.' || {{ kafka_cdc._in_backticks(names ~ '.coll') }}
{%- endmacro %}

{% macro _in_backticks(name) -%}
    '`' || replace({{ name }}, '`', '``') || '`'
{%- endmacro %}

{# Prints SQL for the timestamp that a date of any formatter says: epoch ms, bare or in $date or $numberLong, or ISO text. #}
{% macro _wall_time(text) -%}
    coalesce(
        {{ kafka_cdc.epoch_timestamp("regexp_extract(" ~ text ~ ", r'^[^0-9-]*+(-?[0-9]++)[\"}]*+\\z', 1)") | indent(8) }},
        try_cast(regexp_extract({{ text }}, r'([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z)', 1) as timestamp)
    )
{%- endmacro %}
