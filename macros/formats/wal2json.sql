{#
  wal2json, an output plugin of PostgreSQL, format version 2, JSON.

  The format covers inserts, updates, deletes, TRUNCATE, transactions and logical messages.
  Document: wal2json 2.x, README, "Parameters" and its example of format version 2.

    {"action": "U", "schema": "public", "table": "t",
     "columns": [{"name": "id", "type": "integer", "value": 8},
                 {"name": "v", "type": "text", "value": "b"}],
     "identity": [{"name": "id", "type": "integer", "value": 7}]}

  Quirks
  * `identity` contains the values before the change of the replica identity's columns.
  * The key is `pk` (`include-pk`), else the setting `key` of the topic, else the columns of
    `identity`. With `replica_identity: full` the identity is the whole row and no key.
  * A delete does not show whether its `identity` is the key or the whole row. If it has several
    columns, the key is known only from `pk`, `key` or `replica_identity: default`.
  * wal2json leaves out updates and deletes of a table without replica identity and logs a warning.
    An update or delete without `identity` is therefore rejected: its key before is unknown.
  * An update leaves out unchanged TOAST columns. Its image is partial.
  * The Kafka offset orders changes. `lsn` (`include-lsn`) is not read, because it is an option.
  * A TRUNCATE writes one message for each table.
  * B and C begin and end a transaction. M is a logical message. They are control events.
  * `auto` recognizes the format by `action` if no other members exist than those of the document.

  Limits
  * Format version 1 is the format `wal2json_v1`: one message contains a whole transaction (`change`).
  * An insert without `pk` names no key: set `include-pk` or `key`.
  * NaN and Infinity arrive as null, unless `numeric-data-types-as-string` is set.
  * The database is in no message.
#}
{% macro format_wal2json() %}
    {%- set column = 'struct<name: string, type: string, value: string>' -%}
    {%- set is_row = "wal2json.action in ('I', 'U', 'D', 'T')" -%}
    {%- set members = "array('action', 'xid', 'timestamp', 'lsn', 'nextlsn', 'origin', 'schema', 'table', 'columns', "
        ~ "'identity', 'pk', 'transactional', 'prefix', 'content')" -%}
    {%- set key_columns -%}
    coalesce(
        if(size(wal2json.pk) > 0, wal2json.pk.name, null),
        settings.key,
        case
            when settings.replica_identity = 'full' then null
            when settings.replica_identity is null and size(wal2json.identity) > 1
                and (wal2json.columns is null or size(wal2json.identity) >= size(wal2json.columns)) then null
            else wal2json.identity.name
        end
    )
    {%- endset -%}
    {%- set before = kafka_cdc.safe_map_from_arrays('wal2json.identity.name', 'wal2json.identity.value') -%}
    {%- set after = kafka_cdc.safe_map_from_arrays('wal2json.columns.name', 'wal2json.columns.value') -%}

    {#- PostgreSQL writes +00 for the zone +00:00. -#}
    {%- set occurred_at -%}
    {{ kafka_cdc.zoned_timestamp("regexp_replace(wal2json.timestamp, '([+-][0-9]{2})$', '$1:00')", 'null') }}
    {%- endset -%}

    {{ return({
        'fields': 'action string, `schema` string, `table` string, timestamp string, columns array<' ~ column
            ~ '>, identity array<' ~ column ~ '>, pk array<' ~ column ~ '>',
        'recognized_by': {
            'signature': {'action': 'string'},
            'condition': "if(signature.action in ('B', 'C', 'I', 'U', 'D', 'T', 'M'), "
                ~ 'size(array_except(json_object_keys(value), ' ~ members ~ ')) = 0, false)',
        },
        'required': {
            'action': 'wal2json.action',
            'schema': 'if(' ~ is_row ~ ", wal2json.`schema`, '')",
            'table': 'if(' ~ is_row ~ ", wal2json.`table`, '')",
            'identity': "if(wal2json.action in ('U', 'D') and coalesce(size(wal2json.identity), 0) < 1, null, true)",
        },
        'columns': {
            'source_name': 'null',
            'source_database_type': "'postgresql'",
            'source_tenant': 'null',
            'source_database': 'null',
            'source_schema': 'wal2json.`schema`',
            'source_table': 'wal2json.`table`',
            'operation': kafka_cdc.map_operation('wal2json.action', {
                'I': 'insert',
                'U': 'update',
                'D': 'delete',
                'T': 'truncate',
                'B': 'transaction',
                'C': 'transaction',
                'M': 'other',
            }),
            'operation_code': 'wal2json.action',
            'occurred_at': occurred_at,
            'emitted_at': 'null',
            'source_sequence': 'null',
            'key_columns': key_columns,
            'before_row': "if(wal2json.action in ('U', 'D'), " ~ before ~ ', null)',
            'after_row': "if(wal2json.action in ('I', 'U'), " ~ after ~ ', null)',
            'image': "if(wal2json.action = 'U', 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays(
                'coalesce(wal2json.columns, wal2json.identity).name',
                'coalesce(wal2json.columns, wal2json.identity).type'
            ),
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
