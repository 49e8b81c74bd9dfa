{#
  wal2json, an output plugin of PostgreSQL, format version 1, JSON.

  One message is a transaction. It contains the changes of any number of tables, in their order.
  Document: wal2json 2.x, README, "Parameters" and its examples of format version 1.

    {"change": [
      {"kind": "insert", "schema": "public", "table": "t", "columnnames": ["id", "v"],
       "columntypes": ["integer", "text"], "columnvalues": [8, "a"], "pk": {"pknames": ["id"]}},
      {"kind": "update", "schema": "public", "table": "t", "columnnames": ["id", "v"],
       "columntypes": ["integer", "text"], "columnvalues": [8, "b"],
       "oldkeys": {"keynames": ["id"], "keytypes": ["integer"], "keyvalues": [7]}}]}

  Quirks
  * Each change becomes an event of its own. `row_index` is its number in the message, from 0.
  * If one change cannot be read, the whole message is rejected with the reason of that change.
  * Names, types and values are in parallel arrays. If names and values differ in number, the
    message is rejected.
  * `oldkeys` contains the values before the change of the replica identity's columns.
  * The key is `pk` (`include-pk`), else the setting `key` of the topic, else the columns of
    `oldkeys`. With `replica_identity: full` these are the whole row and no key.
  * An update or delete does not show whether its `oldkeys` are the key or the whole row, which lacks
    its nulls. If there are several columns, the key is known only from `pk`, `key` or
    `replica_identity: default`.
  * wal2json leaves out updates and deletes of a table without replica identity and logs a warning.
    An update or delete without `oldkeys` is therefore rejected: its key before is unknown.
  * An update leaves out unchanged TOAST columns. Its image is partial.
  * The Kafka offset orders messages, and the place in `change` the changes of a message. `nextlsn`
    (`include-lsn`) is not read, because it is an option.
  * A transaction without changes and a logical message (`kind` message) are control events.
  * `auto` recognizes the format by `change` if no other members exist than those of the document.

  Limits
  * A TRUNCATE is in no message of format version 1. Set `format-version` to 2.
  * With `write-in-chunks` a message is only a piece of JSON, and it is rejected.
  * Without the schema (`include-schemas` off) the table is not certain. Such a message is rejected.
  * An insert without `pk` names no key: set `include-pk` or `key`.
  * NaN and Infinity arrive as null, unless `numeric-data-types-as-string` is set.
  * The database is in no message.
#}
{% macro format_wal2json_v1() %}
    {%- set change = 'struct<kind: string, `schema`: string, `table`: string, columnnames: array<string>, '
        ~ 'columntypes: array<string>, columnvalues: array<string>, oldkeys: struct<keynames: array<string>, '
        ~ 'keytypes: array<string>, keyvalues: array<string>>, pk: struct<pknames: array<string>>>' -%}
    {%- set is_row = "change.kind in ('insert', 'update', 'delete')" -%}
    {%- set has_columns = "change.kind in ('insert', 'update')" -%}
    {%- set has_old_keys = "change.kind in ('update', 'delete')" -%}
    {%- set members = "array('change', 'xid', 'timestamp', 'lsn', 'nextlsn', 'origin')" -%}

    {%- set key_columns -%}
    coalesce(
        if(size(change.pk.pknames) > 0, change.pk.pknames, null),
        settings.key,
        case
            when settings.replica_identity = 'full' then null
            when settings.replica_identity is null and size(change.oldkeys.keynames) > 1 then null
            else change.oldkeys.keynames
        end
    )
    {%- endset -%}
    {%- set before = kafka_cdc.safe_map_from_arrays('change.oldkeys.keynames', 'change.oldkeys.keyvalues') -%}
    {%- set after = kafka_cdc.safe_map_from_arrays('change.columnnames', 'change.columnvalues') -%}

    {#- PostgreSQL writes +00 for the zone +00:00. -#}
    {%- set occurred_at -%}
    {{ kafka_cdc.zoned_timestamp("regexp_replace(wal2json_v1.timestamp, '([+-][0-9]{2})$', '$1:00')", 'null') }}
    {%- endset -%}

    {{ return({
        'fields': 'change array<' ~ change ~ '>, timestamp string',
        'informational': ['columntypes: array<string>', 'keytypes: array<string>'],
        'recognized_by': {
            'signature': {'change': 'array<struct<kind: string>>'},
            'condition': 'if(signature.change is not null, '
                ~ 'size(array_except(json_object_keys(value), ' ~ members ~ ')) = 0, false)',
        },
        'changes': 'wal2json_v1.change',
        'required': {
            'change': 'wal2json_v1.change',
            'kind': "if(size(wal2json_v1.change) = 0, '', change.kind)",
            'schema': 'if(' ~ is_row ~ ", change.`schema`, '')",
            'table': 'if(' ~ is_row ~ ", change.`table`, '')",
            'columnnames': 'if(' ~ has_columns ~ ', change.columnnames, array())',
            'columnvalues': 'if(' ~ has_columns ~ ', change.columnvalues, array())',
            'keynames': 'if(' ~ has_old_keys ~ ', change.oldkeys.keynames, array())',
            'keyvalues': 'if(' ~ has_old_keys ~ ', change.oldkeys.keyvalues, array())',
        },
        'rejects': [
            {
                'condition': has_columns ~ ' and size(change.columnnames) <> size(change.columnvalues)',
                'detail': 'columnnames and columnvalues have different lengths.',
            },
            {
                'condition': has_old_keys ~ ' and size(change.oldkeys.keynames) <> size(change.oldkeys.keyvalues)',
                'detail': 'keynames and keyvalues have different lengths.',
            },
        ],
        'columns': {
            'source_name': 'null',
            'source_database_type': "'postgresql'",
            'source_tenant': 'null',
            'source_database': 'null',
            'source_schema': 'change.`schema`',
            'source_table': 'change.`table`',
            'operation': "if(change is null, 'transaction', " ~ kafka_cdc.map_operation('change.kind', {
                'insert': 'insert',
                'update': 'update',
                'delete': 'delete',
                'message': 'other',
            }) ~ ')',
            'operation_code': 'change.kind',
            'occurred_at': occurred_at,
            'emitted_at': 'null',
            'source_sequence': 'null',
            'key_columns': key_columns,
            'before_row': 'if(' ~ has_old_keys ~ ', ' ~ before ~ ', null)',
            'after_row': 'if(' ~ has_columns ~ ', ' ~ after ~ ', null)',
            'image': "if(change.kind = 'update', 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays(
                'coalesce(change.columnnames, change.oldkeys.keynames)',
                'coalesce(change.columntypes, change.oldkeys.keytypes)'
            ),
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
