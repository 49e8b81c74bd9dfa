{#
  Huawei DRS, JSON, of MongoDB and DDS.
  Document: Data Replication Service, "Kafka message format", JSON, second table, 2025-11 edition.

    {"id": 386, "op": "UPDATE", "dbType": "MongoDB", "db": "ljx", "coll": "ljx",
     "value": "{\"$set\": {\"c1\": \"aaa\"}}", "where": "{\"_id\": ObjectId(\"64650cf67dc36a464e76e583\")}",
     "recordType": "update", "extra": "update", "es": 1684316412008, "ts": 1684316412146, "clusterTime": "1684345365:1"}

  Quirks
  * value and where are texts in the syntax of MongoDB's shell, as its Java driver prints it; they become Extended JSON here.
    Values are typed JSON text. A constructor that the driver does not print, and a regular expression: quarantine.
  * recordType tells an UPDATE that replaces the document from one that patches it ($set, $unset; paths stay paths).
    DELETE of anything but a document (recordType doc) is not documented.
  * _id is in value, but for UPDATE in where.
  * clusterTime is the oplog's own position and orders, across tasks too; documents of one transaction share it, then id orders.
    es is hours away from it in the document's examples, where the ObjectId agrees with clusterTime.
  * DDL is in the list of operations without a word on its shape: its value is kept as ddl_text.
#}
{% macro format_huawei_drs_mongodb_json() %}
    {%- set message = 'huawei_drs_mongodb_json' -%}
    {%- set is_patch = message ~ ".recordType = 'update'" -%}
    {%- set is_ddl = message ~ ".op = 'DDL'" -%}
    {%- set position = 'regexp_extract(' ~ message ~ ".clusterTime, r'^([0-9]{1,18}):([0-9]{1,18})\\z', " -%}
    {%- set nothing = 'cast(map() as map<string, string>)' -%}
    {{ return({
        'fields': 'id string, op string, dbType string, db string, coll string, value string, `where` string, recordType string, '
            ~ 'es string, ts string, clusterTime string',
        'recognized_by': {
            'signature': {'coll': 'string', 'recordType': 'string', 'clusterTime': 'string'},
            'condition': 'signature.coll is not null and signature.recordType is not null and signature.clusterTime is not null',
        },
        'variables': {
            'documents': kafka_cdc.read_documents('transform(array(' ~ message ~ '.value, ' ~ message ~ '.`where`), shell_text -> ' ~ kafka_cdc._shell_to_json('shell_text') ~ ')'),
            'said_document': 'documents[0]',
            'condition_document': 'documents[1]',
            'patches': kafka_cdc.read_documents("array(try_element_at(said_document, '$set'), try_element_at(said_document, '$unset'))"),
            'set_document': "if(map_contains_key(said_document, '$set'), patches[0], " ~ nothing ~ ')',
            'unset_document': "if(map_contains_key(said_document, '$unset'), patches[1], " ~ nothing ~ ')',
            'undocumented': 'if(' ~ is_patch ~ ", array_except(map_keys(said_document), array('$set', '$unset')), array())",
            'operation': 'if(' ~ is_ddl ~ ", 'ddl', if(size(undocumented) > 0, null, "
                ~ kafka_cdc.map_operation("concat_ws(' ', " ~ message ~ '.op, ' ~ message ~ '.recordType)', {
                    'INSERT insert': 'insert', 'UPDATE replace': 'update', 'UPDATE update': 'update', 'DELETE doc': 'delete'}) ~ '))',
        },
        'required': {
            'op': message ~ '.op',
            'recordType': 'if(' ~ is_ddl ~ ", '', " ~ message ~ '.recordType)',
            'db': message ~ '.db',
            'coll': 'if(' ~ is_ddl ~ ", '', " ~ message ~ '.coll)',
            'id': message ~ '.id',
            'clusterTime': message ~ '.clusterTime',
            'es': kafka_cdc.epoch_timestamp(message ~ '.es'),
            'value': 'if(' ~ is_ddl ~ ' or size(said_document) > 0 or size(said_document) = 0 and not ' ~ is_patch ~ ', true, null)',
            'where': 'if(' ~ message ~ ".op = 'UPDATE' and condition_document is null, null, true)",
            'value.$set': 'if(' ~ is_patch ~ ' and set_document is null, null, true)',
            'value.$unset': 'if(' ~ is_patch ~ ' and unset_document is null, null, true)',
        },
        'rejects': [
            {'condition': message ~ ".recordType = 'replace' and condition_document['_id'] <> said_document['_id']",
             'detail': 'value and where have different _id.'},
        ],
        'columns': {
            'source_name': 'null',
            'source_database_type': message ~ '.dbType',
            'source_tenant': 'null',
            'source_database': message ~ '.db',
            'source_schema': 'null',
            'source_table': message ~ '.coll',
            'operation': 'operation',
            'operation_code': "if(operation is null, concat_ws(' ', " ~ message ~ '.op, ' ~ message ~ '.recordType, undocumented), ' ~ message ~ '.op)',
            'occurred_at': kafka_cdc.epoch_timestamp(message ~ '.es'),
            'emitted_at': kafka_cdc.epoch_timestamp(message ~ '.ts'),
            'source_sequence': 'case when ' ~ message ~ '.clusterTime is not null then '
                ~ kafka_cdc.sequence_array([position ~ '1)', position ~ '2)', message ~ '.id']) ~ ' end',
            'key_columns': "array('_id')",
            'before_row': 'if(' ~ message ~ ".op = 'DELETE', said_document, null)",
            'after_row': 'case when ' ~ message ~ ".op = 'DELETE' then null when " ~ is_patch ~ ' then '
                ~ "map_concat(map_filter(condition_document, (name, text) -> name = '_id'), map_filter(set_document, (name, text) -> name <> '_id'))"
                ~ ' else said_document end',
            'image': 'if(' ~ is_patch ~ ", 'partial', 'full')",
            'removed_columns': 'if(' ~ is_patch ~ ' and size(unset_document) > 0, map_keys(unset_document), null)',
            'column_types': 'null',
            'ddl_text': 'if(' ~ is_ddl ~ ', ' ~ message ~ '.value, null)',
        },
    }) }}
{% endmacro %}

{#
  Prints SQL for Extended JSON from the shell syntax of MongoDB's Java driver. Each word outside strings that is not JSON, Name(…)
  or a bare name, gets a mark (a noncharacter of Unicode), at which the text is cut; a part that begins with a known word begins
  with its Extended JSON then. One that is not known stays, and is no JSON.
#}
{% macro _shell_to_json(shell_text) -%}
    {%- set token = '(?:[^"A-Za-z0-9-]++|-(?=[0-9])|[0-9][0-9.eE+-]*+|"(?:[^"\\\\]++|\\\\.)*+"|(?:true|false|null)(?![A-Za-z0-9_]))*+' -%}
    {%- set word = '(?:new\\s+)?(-?[A-Za-z]\\w*+)(?:\\s*\\(((?:[^"()]++|"(?:[^"\\\\]++|\\\\.)*+")*+)\\))?+' -%}
    {%- set known = {
        'ObjectId("': ['"([0-9a-fA-F]{24})"', '"\\$oid":"$1"'],
        'ISODate("': ['"([^"]*+)"', '"\\$date":"$1"'],
        'Date(': ['(-?[0-9]++)', '"\\$date":{"\\$numberLong":"$1"}'],
        'NumberLong(': ['"?(-?[0-9]++)"?', '"\\$numberLong":"$1"'],
        'NumberDecimal("': ['"([^"]*+)"', '"\\$numberDecimal":"$1"'],
        'Timestamp(': ['([0-9]++), ?([0-9]++)', '"\\$timestamp":{"t":$1,"i":$2}'],
        'BinData(128,': ['128, ?"([^"]*+)"', '"\\$binary":{"base64":"$1","subType":"80"}'],
        'BinData(': ['([0-9]), ?"([^"]*+)"', '"\\$binary":{"base64":"$2","subType":"0$1"}'],
        'UUID("': ['"([^"]*+)"', '"\\$uuid":"$1"'],
        'MinKey()': ['', '"\\$minKey":1'], 'MaxKey()': ['', '"\\$maxKey":1'],
        'undefined()': ['', '"\\$undefined":true'],
        'NaN()': ['', '"\\$numberDouble":"NaN"'],
        'Infinity()': ['', '"\\$numberDouble":"Infinity"'], '-Infinity()': ['', '"\\$numberDouble":"-Infinity"'],
    } -%}
    array_join(transform(
        split(regexp_replace({{ shell_text }}, r'\G({{ token }}){{ word }}', concat('$1\uFDD2', '$2($3)')), '\uFDD2'),
        (part, place) -> case
            when place = 0 then part
            {%- for begin, (inside, json) in known.items() %}
            when startswith(part, '{{ begin }}') then regexp_replace(part, r'^-?[A-Za-z]+\({{ inside }}\)', r'{{ '{' ~ json ~ '}' }}')
            {%- endfor %}
            else concat('\uFDD2', part)
        end
    ), '')
{%- endmacro %}
