{#
  Huawei Data Replication Service (DRS), JSON, of MongoDB and DDS.

  The format covers inserts, replacements, updates, deletes and DDL.
  Document: Data Replication Service, "Kafka message format", JSON, second table, 2025-11 edition.

    {"id": 386, "op": "UPDATE", "dbType": "MongoDB", "db": "ljx", "coll": "ljx",
     "value": "{\"$set\": {\"c1\": \"aaa\"}}",
     "where": "{\"_id\": ObjectId(\"64650cf67dc36a464e76e583\")}", "recordType": "update",
     "extra": "update", "es": 1684316412008, "ts": 1684316412146, "clusterTime": "1684345365:1"}

  Quirks
  * `value` and `where` are texts in the syntax of MongoDB's shell, as its Java driver prints it.
    They are converted to Extended JSON, and the values of a row are typed JSON text.
  * A message with a constructor that the driver does not print, or with a regular expression, is
    rejected.
  * `recordType` of an UPDATE is `replace` if it replaces the document, and `update` if it patches
    it (`$set`, `$unset`, next to a version `$v` of the oplog). Its paths, such as `address.city`,
    stay paths in the changelog. The state applies them to the documents of the row.
  * A DELETE of anything but a document (`recordType` doc) is not documented and is rejected.
  * `_id` is in `value`, except for UPDATE, which has it in `where`.
  * `clusterTime` is the position in the oplog and orders changes, also across tasks. All documents
    of a transaction have the same clusterTime, and `id` orders them.
  * `es` differs from `clusterTime` by hours in the document's examples. The ObjectId agrees with
    `clusterTime`.
  * The document lists DDL as an operation and does not describe its form. Its `value` is kept as
    ddl_text.

  Limits
  * A dot in the name of a field is read as a path.
#}
{% macro format_huawei_drs_mongodb_json() %}
    {%- set message = 'huawei_drs_mongodb_json' -%}
    {%- set is_patch = message ~ ".recordType = 'update'" -%}
    {%- set is_ddl = message ~ ".op = 'DDL'" -%}
    {%- set empty_map = 'cast(map() as map<string, string>)' -%}

    {%- set position_pattern = "r'^([0-9]{1,18}):([0-9]{1,18})\\z'" -%}
    {%- set seconds = 'regexp_extract(' ~ message ~ '.clusterTime, ' ~ position_pattern ~ ', 1)' -%}
    {%- set increment = 'regexp_extract(' ~ message ~ '.clusterTime, ' ~ position_pattern ~ ', 2)' -%}

    {%- set shell_texts -%}
    transform(
        array({{ message }}.value, {{ message }}.`where`),
        shell_text -> {{ kafka_cdc._mongodb_shell_to_json('shell_text') | indent(8) }}
    )
    {%- endset -%}

    {%- set patches -%}
    array(try_element_at(value_document, '$set'), try_element_at(value_document, '$unset'))
    {%- endset -%}

    {%- set undocumented -%}
    if({{ is_patch }}, array_except(map_keys(value_document), array('$set', '$unset', '$v')), array())
    {%- endset -%}

    {%- set operation -%}
    if(
        {{ is_ddl }},
        'ddl',
        if(
            size(undocumented) > 0,
            null,
            {{ kafka_cdc.map_operation("concat_ws(' ', " ~ message ~ '.op, ' ~ message ~ '.recordType)', {
                'INSERT insert': 'insert',
                'UPDATE replace': 'update',
                'UPDATE update': 'update',
                'DELETE doc': 'delete',
            }) }}
        )
    )
    {%- endset -%}

    {%- set operation_code -%}
    if(
        operation is null,
        concat_ws(' ', {{ message }}.op, {{ message }}.recordType, undocumented),
        {{ message }}.op
    )
    {%- endset -%}

    {%- set required_value -%}
    if(
        {{ is_ddl }} or size(value_document) > 0 or size(value_document) = 0 and not {{ is_patch }},
        true,
        null
    )
    {%- endset -%}

    {%- set after_row -%}
    case
        when {{ message }}.op = 'DELETE' then null
        when {{ is_patch }} then map_concat(
            map_filter(where_document, (name, text) -> name = '_id'),
            map_filter(set_document, (name, text) -> name <> '_id')
        )
        else value_document
    end
    {%- endset -%}

    {{ return({
        'fields': 'id string, op string, dbType string, db string, coll string, value string, `where` string, '
            ~ 'recordType string, es string, ts string, clusterTime string',
        'recognized_by': {
            'signature': {'coll': 'string', 'recordType': 'string', 'clusterTime': 'string'},
            'condition': 'signature.coll is not null and signature.recordType is not null '
                ~ 'and signature.clusterTime is not null',
        },
        'variables': {
            'documents': kafka_cdc.read_documents(shell_texts),
            'value_document': 'documents[0]',
            'where_document': 'documents[1]',
            'patches': kafka_cdc.read_documents(patches),
            'set_document': "if(map_contains_key(value_document, '$set'), patches[0], " ~ empty_map ~ ')',
            'unset_document': "if(map_contains_key(value_document, '$unset'), patches[1], " ~ empty_map ~ ')',
            'undocumented': undocumented,
            'operation': operation,
        },
        'required': {
            'op': message ~ '.op',
            'recordType': 'if(' ~ is_ddl ~ ", '', " ~ message ~ '.recordType)',
            'db': message ~ '.db',
            'coll': 'if(' ~ is_ddl ~ ", '', " ~ message ~ '.coll)',
            'value': required_value,
            'where': 'if(' ~ message ~ ".op = 'UPDATE' and where_document is null, null, true)",
            'value.$set': 'if(' ~ is_patch ~ ' and set_document is null, null, true)',
            'value.$unset': 'if(' ~ is_patch ~ ' and unset_document is null, null, true)',
        },
        'rejects': [
            {
                'condition': message ~ ".recordType = 'replace' and where_document['_id'] <> value_document['_id']",
                'detail': 'value and where have different _id.',
            },
        ],
        'paths': 'if(' ~ is_patch ~ ', ' ~ kafka_cdc.document_paths(
            'concat(map_keys(set_document), map_keys(unset_document))'
        ) ~ ', null)',
        'columns': {
            'source_name': 'null',
            'source_database_type': message ~ '.dbType',
            'source_tenant': 'null',
            'source_database': message ~ '.db',
            'source_schema': 'null',
            'source_table': message ~ '.coll',
            'operation': 'operation',
            'operation_code': operation_code,
            'occurred_at': kafka_cdc.epoch_timestamp(message ~ '.es'),
            'emitted_at': kafka_cdc.epoch_timestamp(message ~ '.ts'),
            'source_sequence': kafka_cdc.sequence_array(
                [seconds, increment, 'coalesce(' ~ message ~ ".id, '0')"],
                position=message ~ '.clusterTime'
            ),
            'key_columns': "array('_id')",
            'before_row': 'if(' ~ message ~ ".op = 'DELETE', value_document, null)",
            'after_row': after_row,
            'image': 'if(' ~ is_patch ~ ", 'partial', 'full')",
            'removed_columns': 'if(' ~ is_patch ~ ' and size(unset_document) > 0, map_keys(unset_document), null)',
            'column_types': 'null',
            'ddl_text': 'if(' ~ is_ddl ~ ', ' ~ message ~ '.value, null)',
        },
    }) }}
{% endmacro %}

{#
  Prints an expression: Extended JSON from the shell syntax that MongoDB's Java driver prints.

  Outside strings every word that is not JSON, Name(…) or a bare name, is prefixed with a marker, a
  noncharacter of Unicode. The text is split at the markers. In each part that begins with a known
  constructor, the constructor is replaced by its Extended JSON. An unknown one keeps its marker, so
  the text is not valid JSON and the message is rejected.
#}
{% macro _mongodb_shell_to_json(shell_text) -%}
    {%- set string = '"(?:[^"\\\\]++|\\\\.)*+"' -%}
    {%- set token = '(?:[^"A-Za-z0-9-]++|-(?=[0-9])|[0-9][0-9.eE+-]*+|' ~ string
        ~ '|(?:true|false|null)(?![A-Za-z0-9_]))*+' -%}
    {%- set word = '(?:new\\s+)?(-?[A-Za-z]\\w*+)(?:\\s*\\(((?:[^"()]++|' ~ string ~ ')*+)\\))?+' -%}
    {%- set constructors = {
        'ObjectId("': ['"([0-9a-fA-F]{24})"', '"\\$oid":"$1"'],
        'ISODate("': ['"([^"]*+)"', '"\\$date":"$1"'],
        'Date(': ['(-?[0-9]++)', '"\\$date":{"\\$numberLong":"$1"}'],
        'NumberLong(': ['"?(-?[0-9]++)"?', '"\\$numberLong":"$1"'],
        'NumberDecimal("': ['"([^"]*+)"', '"\\$numberDecimal":"$1"'],
        'Timestamp(': ['([0-9]++), ?([0-9]++)', '"\\$timestamp":{"t":$1,"i":$2}'],
        'BinData(128,': ['128, ?"([^"]*+)"', '"\\$binary":{"base64":"$1","subType":"80"}'],
        'BinData(': ['([0-9]), ?"([^"]*+)"', '"\\$binary":{"base64":"$2","subType":"0$1"}'],
        'UUID("': ['"([^"]*+)"', '"\\$uuid":"$1"'],
        'MinKey()': ['', '"\\$minKey":1'],
        'MaxKey()': ['', '"\\$maxKey":1'],
        'undefined()': ['', '"\\$undefined":true'],
        'NaN()': ['', '"\\$numberDouble":"NaN"'],
        'Infinity()': ['', '"\\$numberDouble":"Infinity"'],
        '-Infinity()': ['', '"\\$numberDouble":"-Infinity"'],
    } -%}
    array_join(transform(
        split(regexp_replace({{ shell_text }}, r'\G({{ token }}){{ word }}', concat('$1\uFDD2', '$2($3)')), '\uFDD2'),
        (part, part_index) -> case
            when part_index = 0 then part
            {%- for beginning, (arguments, json) in constructors.items() %}
            when startswith(part, '{{ beginning }}')
                then regexp_replace(part, r'^-?[A-Za-z]+\({{ arguments }}\)', r'{{ '{' ~ json ~ '}' }}')
            {%- endfor %}
            else concat('\uFDD2', part)
        end
    ), '')
{%- endmacro %}
