{#
  Debezium rows after the transformation ExtractNewRecordState (unwrap), JSON.

  They may have the schema envelope. Documents of MongoDB come from ExtractNewDocumentState. The
  format covers inserts, updates, deletes, snapshots and TRUNCATE, as far as the transformation is
  configured to keep them apart.
  Document: Debezium 1.x to 3.x, "New Record State Extraction" (event flattening); 2.x and 3.x, "MongoDB
  New Document State Extraction".

    key:   {"id": 1004}
    value: {"id": 1004, "email": "annek@noanswer.org", "__deleted": "false", "__op": "u",
            "__db": "inventory", "__table": "customers", "__file": "mysql-bin.000003",
            "__pos": 484, "__source_ts_ms": 1465581029000}

  Quirks
  * The message is the row. The members that `add.fields` configures begin with `__` or `__source_`
    and are no columns.
  * A row without `__op` that is not deleted contains only its current values. It becomes a
    snapshot event.
  * Heartbeats, transactions and schema changes pass the transformation unchanged. They become control
    events if `topics` maps their topics, too. A statement is not applied.
  * Tombstones change no rows, unless `on_tombstone` is `delete`.
  * A deleted row of PostgreSQL contains the key. Its other columns contain defaults, not values. Only
    the key is read, unless `replica_identity` of the topic is `full`.
  * The database is that of `connector`, else the one that the position shows. A deleted row is read
    in the same way if neither does.
  * Changes are ordered by the position if there is one: `file` and `pos`, `lsn`, `scn` or
    `commit_lsn`. `__ts_ms` and `__source_ts_ms` never order them.
  * The key's columns are in the Kafka key only, next to what topic routing adds.
  * A table without `__table` has the topic's name.
  * Each topic is a source of its own, because `__db` may be missing.
  * Rows of YugabyteDB, Cassandra and Scylla are rejected as `unknown_connector` if they name their
    `connector`. They may lack columns that did not change, or contain cells instead of values.
  * A document of MongoDB has its key in `_id`, and the Kafka key calls it `id`. An update may contain
    only what changed. So documents are rejected as `unknown_connector` mongodb, unless the topic has
    `key: [_id]`.
  * Columns with the placeholder of unavailable values are missing, and the image is partial.
  * `auto` recognizes the format by `__deleted` or `__op`. It tries this format first, because a
    row may have columns of any name.

  Limits
  * MongoDB: `key: [_id]` reads an update as the whole document. Set `capture.mode` of the connector to
    `change_streams_update_full`, its default. Positions are not read, and the offset orders documents.
  * With the delete mode `tombstone` (the default since 2.5) or `drop`, no message shows that a row
    is gone. Configure `rewrite`, or set `on_tombstone: delete`.
  * A custom `unavailable.value.placeholder` is read as a value.
  * Members that `add.fields` renames, or that have another `add.fields.prefix`, are read as columns.
  * Rows with neither `__op` nor `__deleted` are rejected as `unknown_format` unless `topics` maps
    their topic.
  * YugabyteDB with its replica identity CHANGE: a null may be a column that did not change. Add
    `version` to `add.fields`: the rows are then rejected, unless the topic has a `replica_identity`.
    Without it a null is read as NULL.
  * PostgreSQL's replica identity, and nulls that a converter replaces: see the limits of `debezium`.
  * MariaDB since 11.4 has one position for all events of a transaction. Add `connector` to
    `add.fields`: without it such rows are taken for those of MySQL, and `row` orders them.
  * PostgreSQL: a transaction that was in flight at the initial snapshot, and is the first after
    it, may have a position before the snapshot's.
#}
{% macro format_debezium_unwrapped() %}
    {%- set metadata_names = [
        'op', 'deleted', 'connector', 'version', 'name', 'snapshot', 'db', 'schema', 'table', 'ts_ms', 'ts_us', 'ts_ns',
        'file', 'pos', 'row', 'gtid', 'server_id', 'thread', 'query', 'lsn', 'sequence', 'txId', 'xmin', 'scn',
        'commit_scn', 'ssn', 'commit_lsn', 'change_lsn', 'event_serial_no', 'user_name', 'row_id', 'rs_id',
        'redo_thread', 'redo_sql', 'lcr_position', 'tx_id', 'origin', 'begin_lsn', 'keyspace', 'shard', 'vgtid',
        'transaction_id', 'transaction_total_order', 'transaction_data_collection_order', 'transaction_commit_lsn',
        'total_order', 'data_collection_order', 'commit_ts_ms', 'start_scn', 'start_ts_ms', 'collection', 'rs', 'ord',
        'lsid', 'txnNumber', 'wallTime', 'txSeq', 'ts_hlc', 'position_scn', 'group_lsn', 'group_offset', 'batch_row_id',
        'change_id', 'commit_ts', 'updateDescription', 'updateDescription_updatedFields',
        'updateDescription_removedFields', 'updateDescription_truncatedArrays',
    ] -%}
    {%- set is_metadata = "rlike r'^__(?:source_)?(?:" ~ metadata_names | join('|') ~ ")\\z'" -%}

    {#- The members of Debezium's source that the row may contain, under either prefix. -#}
    {%- set source_fields, metadata_fields = [], [] -%}
    {%- for name in [
        'db', 'schema', 'table', 'file', 'pos', 'row', 'lsn', 'sequence', 'scn', 'commit_scn', 'ssn', 'commit_lsn',
        'change_lsn', 'event_serial_no', 'connector', 'version', 'collection',
    ] -%}
        {%- set value = "coalesce(try_element_at(document, '__" ~ name ~ "'), "
            ~ "try_element_at(document, '__source_" ~ name ~ "'))" -%}
        {%- do metadata_fields.append(value ~ ' as `' ~ name ~ '`') -%}
        {%- if name not in ['connector', 'version', 'collection'] -%}
            {%- do source_fields.append('row_metadata.`' ~ name ~ '` as `' ~ name ~ '`') -%}
        {%- endif -%}
    {%- endfor -%}

    {%- set json_options = kafka_cdc.get_json_options() -%}
    {%- set has_schema -%}
    coalesce(
        size(members) = 2
        and get_json_object(try_element_at(members, 'schema'), '$.type') = 'struct'
        and map_contains_key(members, 'payload'),
        false
    )
    {%- endset -%}

    {%- set row_members -%}
    if(
        has_schema,
        from_json(try_element_at(members, 'payload'), 'map<string, string>', {{ json_options }}),
        members
    )
    {%- endset -%}

    {%- set source -%}
    struct(
        case
            when row_metadata.connector is not null then row_metadata.connector
            when row_metadata.file is not null and row_metadata.pos is not null then 'mysql'
            when row_metadata.lsn is not null then 'postgresql'
            when row_metadata.commit_lsn is not null then 'sqlserver'
            when row_metadata.sequence is not null then 'postgresql'
            when row_metadata.scn is not null then 'oracle'
        end as connector,
        {{ source_fields | join(', ') }}
    )
    {%- endset -%}

    {#- A document of MongoDB. If it was deleted, the message may contain no field of it. -#}
    {%- set is_keyed_by_id = "settings.key <=> array('_id')" -%}
    {%- set has_document_id = "coalesce(map_keys(message_key) = array('id'), false)" -%}
    {%- set is_document -%}
    coalesce(row_metadata.connector = 'mongodb', false)
    or {{ has_document_id }} and control is null and coalesce(
        size(full_row) = 0 and {{ is_keyed_by_id }}
        or try_element_at(document, '_id') = message_key['id']
        and not try_element_at(document, 'id') <=> message_key['id'],
        false
    )
    {%- endset -%}
    {%- set document_key = "if({0}, map('_id', {1}['id']), {1})" -%}

    {#- Outside the key a deleted row of PostgreSQL holds defaults, unless its replica identity is full. -#}
    {%- set deleted_row -%}
    if(
        is_document,
        key,
        {{ kafka_cdc.debezium_known_before(
            'known_row', "coalesce(change.source.connector, 'postgresql')", 'key'
        ) | indent(8) }}
    )
    {%- endset -%}

    {%- set schema_type = 'fields array<struct<field: string, type: string, name: string, '
        ~ 'parameters: map<string, string>>>' -%}
    {%- set columns -%}
    if(
        has_schema,
        filter(
            from_json(try_element_at(members, 'schema'), '{{ schema_type }}').fields,
            definition -> not definition.field {{ is_metadata }}
        ),
        null
    )
    {%- endset -%}

    {%- set signature = {'__op': 'string', '__deleted': 'string'} -%}
    {%- set recognized -%}
    coalesce(
        signature.`__op`, signature.`__deleted`, signature.payload.`__op`, signature.payload.`__deleted`
    ) is not null
    {%- endset -%}

    {%- set operations = dict(kafka_cdc.get_debezium_operations(), t='truncate') -%}
    {%- set operation -%}
    case
        when change.op is not null then {{ kafka_cdc.map_operation('change.op', operations) }}
        when deleted = 'true' then 'delete'
        else coalesce(control, 'snapshot')
    end
    {%- endset -%}

    {{ return({
        'fields': '`__op` string',
        'variables': {
            'members': "get(from_json(guarded_value, 'documents array<map<string, string>>', " ~ json_options
                ~ ').documents, 1)',
            'has_schema': has_schema,
            'row_members': row_members,
            'document': kafka_cdc.dedupe_map_keys('row_members'),
            'row_metadata': 'struct(' ~ metadata_fields | join(', ') ~ ')',
            'source': source,
            'change': "struct(try_element_at(document, '__op') as op, source as source)",
            'deleted': "try_element_at(document, '__deleted')",
            'message_key': kafka_cdc.debezium_key(),
            'control': kafka_cdc.debezium_unwrapped_control(),
            'full_row': 'map_filter(document, (name, text) -> not name ' ~ is_metadata ~ ')',
            'is_document': is_document,
            'key': document_key.format('is_document and ' ~ has_document_id, 'message_key'),
            'known_row': kafka_cdc.debezium_known_columns('full_row'),
            'deleted_row': deleted_row,
            'columns': columns,
        },
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': recognized,
            'instead_of': kafka_cdc.get_package_formats(),
        },
        'required': {
            '__deleted': "if(deleted is null or deleted in ('true', 'false'), true, null)",
        },
        'rejects': [
            {
                'condition': "change.op in ('c', 'u', 'r', 't') and deleted = 'true' "
                    ~ "or change.op = 'd' and deleted = 'false'",
                'detail': '__deleted does not match __op.',
            },
        ],
        'unknown_connector': 'case when '
            ~ kafka_cdc.debezium_unchanged_nulls_condition('row_metadata.version') ~ " then 'yugabytedb' "
            ~ "when change.source.connector in ('yugabytedb', 'cassandra', 'scylla') then change.source.connector "
            ~ "when is_document and not " ~ is_keyed_by_id ~ " then 'mongodb' end",
        'tombstone_key': kafka_cdc.sql_let(
            {'message_key': kafka_cdc.debezium_key()},
            document_key.format(is_keyed_by_id ~ ' and ' ~ has_document_id, 'message_key')
        ),
        'columns': {
            'source_name': 'kafka_topic',
            'source_database_type': 'change.source.connector',
            'source_tenant': 'null',
            'source_database': 'source.db',
            'source_schema': 'source.schema',
            'source_table': 'if(control is null, '
                ~ 'coalesce(source.`table`, row_metadata.collection, kafka_topic), null)',
            'operation': operation,
            'operation_code': 'change.op',
            'occurred_at': kafka_cdc.epoch_timestamp("try_element_at(document, '__source_ts_ms')"),
            'emitted_at': kafka_cdc.epoch_timestamp("try_element_at(document, '__ts_ms')"),
            'source_sequence': kafka_cdc.debezium_sequence('change.source', 'change.source.connector'),
            'key_columns': 'map_keys(key)',
            'before_row': "if(change.op = 'd' or deleted = 'true', deleted_row, null)",
            'after_row': "if(change.op in ('d', 't') or deleted = 'true' or control is not null, null, known_row)",
            'image': "if(size(known_row) < size(full_row), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.debezium_column_types('columns'),
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
