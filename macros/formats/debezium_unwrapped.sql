{#
  Debezium's rows after ExtractNewRecordState ("unwrap"), JSON, with or without the schema envelope.
  Document: Debezium 1.x to 3.x, "New Record State Extraction" (event flattening).

    key:   {"id": 1004}
    value: {"id": 1004, "email": "annek@noanswer.org", "__deleted": "false", "__op": "u", "__db": "inventory",
            "__table": "customers", "__file": "mysql-bin.000003", "__pos": 484, "__source_ts_ms": 1465581029000}

  Quirks
  * The message is the row. What it says of itself is configured (add.fields) and begins with __ or __source_: no columns.
  * Without __op a row that is not deleted says only what it is now: a snapshot. With delete mode `tombstone` (the default since
    2.5) or `drop` no message says that a row is gone: configure `rewrite`. Tombstones change no rows.
  * The deleted row of PostgreSQL holds the key, and defaults, not values, elsewhere: only the key is read, unless the topic's
    replica_identity is full. So too where no position tells which database it is.
  * Positions order where they are there: file and pos, lsn, scn, commit_lsn. __ts_ms and __source_ts_ms never do.
  * The key's columns are in the Kafka key only, beside what topic routing adds. A table without __table has the topic's name, and each topic is a source of its
    own, as __db may be missing. Placeholders of unavailable values are not said.
  * __deleted or __op tells it; a row with neither needs a mapped topic. It is tried first: any columns may stand beside them.
#}
{% macro format_debezium_unwrapped() %}
    {%- set fields = ['op', 'deleted', 'connector', 'version', 'name', 'snapshot', 'db', 'schema', 'table', 'ts_ms', 'ts_us', 'ts_ns', 'file', 'pos', 'row', 'gtid',
        'server_id', 'thread', 'query', 'lsn', 'sequence', 'txId', 'xmin', 'scn', 'commit_scn', 'ssn', 'commit_lsn', 'change_lsn', 'event_serial_no'] -%}
    {%- set is_said = "rlike r'^__(?:source_)?(?:" ~ fields | join('|') ~ ")\\z'" -%}
    {%- set source, place = [], [] -%}
    {%- for name in ['db', 'schema', 'table', 'file', 'pos', 'row', 'lsn', 'sequence', 'scn', 'commit_scn', 'ssn', 'commit_lsn', 'change_lsn', 'event_serial_no'] -%}
        {%- do place.append("coalesce(try_element_at(document, '__" ~ name ~ "'), try_element_at(document, '__source_" ~ name ~ "')) as `" ~ name ~ '`') -%}
        {%- do source.append('place.`' ~ name ~ '` as `' ~ name ~ '`') -%}
    {%- endfor -%}
    {%- set signature = {'__op': 'string', '__deleted': 'string'} -%}
    {{ return({
        'fields': '`__op` string',
        'variables': {
            'members': "get(from_json(guarded_value, 'documents array<map<string, string>>', " ~ kafka_cdc.get_json_options() ~ ').documents, 1)',
            'has_schema': "coalesce(size(members) = 2 and get_json_object(try_element_at(members, 'schema'), '$.type') = 'struct' "
                ~ "and map_contains_key(members, 'payload'), false)",
            'said_members': "if(has_schema, from_json(try_element_at(members, 'payload'), 'map<string, string>', " ~ kafka_cdc.get_json_options() ~ '), members)',
            'document': kafka_cdc.dedupe_map_keys('said_members'),
            'place': 'struct(' ~ place | join(', ') ~ ')',
            'source': "struct(case when place.file is not null and place.pos is not null then 'mysql' when place.commit_lsn is not null then 'sqlserver' "
                ~ "when coalesce(place.lsn, place.sequence) is not null then 'postgresql' when place.scn is not null then 'oracle' end as connector, " ~ source | join(', ') ~ ')',
            'change': "struct(try_element_at(document, '__op') as op, source as source)",
            'deleted': "try_element_at(document, '__deleted')",
            'key': kafka_cdc.debezium_key(),
            'row_whole': 'map_filter(document, (name, text) -> not name ' ~ is_said ~ ')',
            'row_said': kafka_cdc.debezium_reported_row('row_whole', 'false'),
            'row_gone': "if(coalesce(change.source.connector, 'postgresql') <> 'postgresql' or settings.replica_identity = 'full' or coalesce(map_keys(key), settings.key) is null, "
                ~ 'row_said, map_filter(row_said, (name, text) -> array_contains(coalesce(map_keys(key), settings.key), name)))',
            'columns': "if(has_schema, filter(from_json(try_element_at(members, 'schema'), 'fields array<struct<field: string, type: string, name: string, "
                ~ "parameters: map<string, string>>>').fields, said -> not said.field " ~ is_said ~ '), null)',
        },
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': 'coalesce(signature.`__op`, signature.`__deleted`, signature.payload.`__op`, signature.payload.`__deleted`) is not null',
        },
        'required': {'__deleted': "if(deleted is null or deleted in ('true', 'false'), true, null)"},
        'rejects': [{'condition': "change.op in ('c', 'u', 'r', 't') and deleted = 'true' or change.op = 'd' and deleted = 'false'", 'detail': '__deleted says otherwise than __op.'}],
        'tombstone_key': kafka_cdc.debezium_key(),
        'columns': {
            'source_name': 'kafka_topic',
            'source_database_type': 'change.source.connector',
            'source_tenant': 'null',
            'source_database': 'source.db',
            'source_schema': 'source.schema',
            'source_table': 'coalesce(source.`table`, kafka_topic)',
            'operation': 'case when change.op is not null then ' ~ kafka_cdc.map_operation('change.op', {
                    'c': 'insert', 'u': 'update', 'd': 'delete', 'r': 'snapshot', 't': 'truncate'})
                ~ " when deleted = 'true' then 'delete' else 'snapshot' end",
            'operation_code': 'change.op',
            'occurred_at': kafka_cdc.epoch_timestamp("try_element_at(document, '__source_ts_ms')"),
            'emitted_at': kafka_cdc.epoch_timestamp("try_element_at(document, '__ts_ms')"),
            'source_sequence': kafka_cdc.debezium_sequence('change.source'),
            'key_columns': 'map_keys(key)',
            'before_row': "if(change.op = 'd' or deleted = 'true', row_gone, null)",
            'after_row': "if(change.op in ('d', 't') or deleted = 'true', null, row_said)",
            'image': "if(size(row_said) < size(row_whole), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays('columns.field', "transform(columns, c -> concat_ws(' ', coalesce(c.name, c.type), to_json(c.parameters)))"),
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
