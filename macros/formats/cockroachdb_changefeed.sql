{#
  CockroachDB changefeeds to Kafka, JSON.

  The format covers the envelopes wrapped (with and without `diff`), enriched, bare and row,
  resolved timestamps, and keys as arrays.
  Document: CockroachDB v25.1 to v26.1, "Changefeed Messages" and "Changefeed Message Envelope".

    key:   {"id": "58390d92-2472-43e1-86bc-1642395e8dad"}
    value: {"after": {"id": "58390d92-2472-43e1-86bc-1642395e8dad", "price": 45.00}, "op": "c",
            "source": {"changefeed_sink": "kafka", "database_name": "test", "primary_keys": ["id"],
                       "schema_name": "public", "table_name": "products",
                       "ts_hlc": "1747243394200039000.0000000000"}, "ts_ns": 1745527444910044000}

  Quirks
  * The envelope wrapped contains no operation. A row is a snapshot event, which inserts or replaces it. With `diff`,
    `before` is null for an insert and a row for an update.
  * `after` is null in a deletion. Its key is in the Kafka key, or in `key` (`key_in_value`).
  * Except in the envelope enriched the key is an array of values. Its columns are `primary_keys` of `source`, or the
    setting `key` of the topic, in the order of the primary key.
  * `updated`, `ts_hlc` of `source` and `mvcc_timestamp` order changes: nanoseconds and a counter. The first that
    exists counts. Without them the Kafka offset orders.
  * Messages of different rows come in any order. A time that falls is therefore no finding.
  * `ts_ns` of the message is the feed's clock. It never orders. A scan or backfill sends rows again, without a mark.
  * The envelopes bare and row are the row itself. Key columns may be in the Kafka key alone. Metadata is in
    `__crdb__`. A null value is a deletion in the envelope row: set `on_tombstone: delete`.
  * The table is named by `source`, else by `topic` (`topic_in_value`), else by the topic.
  * A change of the primary key is a deletion and an insert. Of a transaction, only the last write of a row is sent.
  * With `CREATE CHANGEFEED … AS SELECT event_op() AS op, …` set `operation_column: op` for the topic. The column is
    then the operation. Its values are insert, update, upsert and delete.
  * `auto` recognizes the envelope enriched, also without `source`, and resolved timestamps. It recognizes the
    envelope wrapped by `updated` or `mvcc_timestamp`, and the others by `__crdb__`.

  Limits
  * The envelope key_only has no row and is rejected. So are the batches of a webhook.
  * Without `updated` or `mvcc_timestamp` a repeated older message sets its row back until the newer one is repeated.
  * A table with column families has a topic for each family, and each is a table of its own. If `topic_name` sends
    all families to one topic, each message replaces the columns of the others.
  * The query of a changefeed writes a deletion as a row of the key and nulls. Without `event_op()` and
    `operation_column` it is read as that row, and the deleted row stays. `kafka-cdc inspect` warns.
  * A row whose columns all have names of the envelope, one of them `after` or `op`, looks like an envelope.
#}
{% macro format_cockroachdb_changefeed() %}
    {%- set json_options = kafka_cdc.get_json_options() -%}
    {%- set has_schema -%}
    coalesce(
        size(members) = 2
        and get_json_object(try_element_at(members, 'schema'), '$.type') = 'struct'
        and map_contains_key(members, 'payload'),
        false
    )
    {%- endset -%}

    {%- set document -%}
    if(
        has_schema,
        from_json(try_element_at(members, 'payload'), 'map<string, string>', {{ json_options }}),
        members
    )
    {%- endset -%}

    {%- set source_type = 'database_name string, schema_name string, table_name string, ts_hlc string, '
        ~ 'mvcc_timestamp string, primary_keys array<string>, _corrupt_record string' -%}
    {%- set source_text = "try_element_at(document, 'source')" -%}
    {%- set is_source_unreadable -%}
    coalesce(is_envelope and (source._corrupt_record is not null or not startswith({{ source_text }}, '{')), false)
    {%- endset -%}
    {%- set metadata_type = 'updated string, mvcc_timestamp string, topic string, resolved string, key string' -%}
    {%- set occurred_at = "regexp_extract(position, r'^([0-9]{1,16})[0-9]{3}[.][0-9]{10}\\z', 1)" -%}
    {%- set emitted_at = "if(is_envelope, regexp_extract(try_element_at(document, 'ts_ns'), "
        ~ "r'^([0-9]{1,16})[0-9]{3}\\z', 1), null)" -%}
    {%- set column = 'struct<field: string, type: string, name: string, parameters: map<string, string>>' -%}
    {%- set schema_type = 'fields array<struct<field: string, fields: array<' ~ column ~ '>>>' -%}

    {%- set envelope = "array('after', 'before', 'updated', 'mvcc_timestamp', 'key', 'topic', 'op', 'ts_ns', "
        ~ "'source')" -%}
    {%- set is_envelope -%}
    settings.operation_column is null
    and coalesce(
        (map_contains_key(document, 'after') or map_contains_key(document, 'op'))
        and size(array_except(map_keys(document), {{ envelope }})) = 0,
        false
    )
    {%- endset -%}
    {%- set is_resolved -%}
    size(document) = 1
    and coalesce(try_element_at(document, 'resolved'), metadata.resolved) rlike r'^[0-9]{1,19}[.][0-9]{10}\z'
    {%- endset -%}

    {%- set own_row -%}
    map_filter(document, (name, text) -> name <> '__crdb__' and not name <=> settings.operation_column)
    {%- endset -%}
    {%- set is_row_readable = "try_element_at(document, '{0}') is null or {1} is not null" -%}

    {%- set position -%}
    coalesce(
        if(is_envelope, try_element_at(document, 'updated'), metadata.updated),
        source.ts_hlc,
        if(is_envelope, try_element_at(document, 'mvcc_timestamp'), metadata.mvcc_timestamp),
        source.mvcc_timestamp
    )
    {%- endset -%}
    {%- set source_sequence -%}
    case
        when is_resolved or position is null then null
        when position rlike r'^[0-9]{1,19}[.][0-9]{10}\z'
            then {{ kafka_cdc.sequence_array(["split(position, '[.]')[0]", "split(position, '[.]')[1]"]) }}
        else array(null)
    end
    {%- endset -%}

    {%- set operation -%}
    case
        when is_resolved then 'heartbeat'
        when settings.operation_column is not null then {{ kafka_cdc.map_operation('code', {
            'insert': 'insert',
            'update': 'update',
            'upsert': 'snapshot',
            'delete': 'delete',
        }) }}
        when not is_envelope then 'snapshot'
        when code is not null then {{ kafka_cdc.map_operation('code', {'c': 'insert', 'u': 'update', 'd': 'delete'}) }}
        when after_image is null then 'delete'
        when not map_contains_key(document, 'before') then 'snapshot'
        when before_image is null then 'insert'
        else 'update'
    end
    {%- endset -%}

    {%- set before_row -%}
    case
        when is_delete and not is_envelope
            then coalesce(key, map_filter({{ own_row }}, (name, text) -> text is not null))
        when is_delete then coalesce(before_image, key)
        when is_envelope then before_image
    end
    {%- endset -%}
    {%- set signature = {
        'source': {'changefeed_sink': 'string'},
        'op': 'string',
        'ts_ns': 'string',
        'ts_ms': 'string',
    } -%}
    {%- set times = dict.fromkeys(['updated', 'mvcc_timestamp', 'resolved'], 'string') -%}

    {#- The envelope enriched without source. Debezium writes ts_ms, too. -#}
    {%- set enriched_keys -%}
    json_object_keys(if(
        get_json_object(value, '$.schema.type') = 'struct' and size(json_object_keys(value)) = 2,
        get_json_object(value, '$.payload'),
        value
    ))
    {%- endset -%}
    {%- set recognized -%}
    coalesce(signature.source.changefeed_sink, signature.payload.source.changefeed_sink) is not null
    or if(
        signature.resolved rlike r'^[0-9]{19}[.][0-9]{10}\z',
        size(json_object_keys(value)) = 1,
        false
    )
    or if(
        coalesce(signature.updated, signature.mvcc_timestamp) rlike r'^[0-9]{19}[.][0-9]{10}\z',
        array_contains(json_object_keys(value), 'after')
        and size(array_except(json_object_keys(value), {{ envelope }})) = 0,
        false
    )
    or signature.`__crdb__` is not null
    or coalesce(signature.payload.op, signature.op) in ('c', 'u', 'd')
    and coalesce(signature.payload.ts_ns, signature.ts_ns) is not null
    and coalesce(signature.payload.ts_ms, signature.ts_ms) is null
    and array_contains({{ enriched_keys }}, 'after')
    and size(array_except({{ enriched_keys }}, {{ envelope }})) = 0
    {%- endset -%}

    {{ return({
        'fields': 'resolved string',
        'variables': {
            'members': kafka_cdc.dedupe_map_keys(
                "get(from_json(guarded_value, 'documents array<map<string, string>>', " ~ json_options
                ~ ').documents, 1)'
            ),
            'has_schema': has_schema,
            'document': kafka_cdc.dedupe_map_keys(document),
            'metadata': "from_json(try_element_at(document, '__crdb__'), '" ~ metadata_type ~ "')",
            'is_envelope': is_envelope,
            'is_resolved': is_resolved,
            'source': "if(is_envelope, from_json(" ~ source_text ~ ", '" ~ source_type ~ "'), null)",
            'code': "try_element_at(document, if(is_envelope, 'op', settings.operation_column))",
            'after_image': "from_json(try_element_at(document, 'after'), 'map<string, string>', " ~ json_options ~ ')',
            'before_image': "from_json(try_element_at(document, 'before'), 'map<string, string>', " ~ json_options
                ~ ')',
            'is_delete': "coalesce(if(is_envelope, coalesce(code = 'd', after_image is null), code = 'delete'), false)",
            'key_text': "coalesce(kafka_key, if(is_envelope, try_element_at(document, 'key'), metadata.key))",
            'key': kafka_cdc.named_key('key_text', 'coalesce(source.primary_keys, settings.key)'),
            'position': position,
            'columns': "get(filter(from_json(try_element_at(members, 'schema'), '" ~ schema_type
                ~ "').fields, f -> f.field = 'after'), 0).fields",
        },
        'recognized_by': {
            'signature': dict(signature, payload=signature, __crdb__=times, **times),
            'condition': recognized,
            'instead_of': ['debezium'],
        },
        'orders_rows_only': 'true',
        'required': {
            'op': "if(is_envelope and code is null and (map_contains_key(document, 'ts_ns') or source is not null), "
                ~ 'null, true)',
            'source': 'if(' ~ is_source_unreadable ~ ', null, true)',
            'after': 'if(is_envelope and not (' ~ is_row_readable.format('after', 'after_image') ~ '), null, true)',
            'before': 'if(is_envelope and not (' ~ is_row_readable.format('before', 'before_image') ~ '), null, true)',
            'key': 'if(is_envelope and is_delete and before_image is null and key is null, null, true)',
        },
        'rejects': [
            {
                'condition': "size(members) = 2 and map_contains_key(members, 'payload') "
                    ~ "and map_contains_key(members, 'length')",
                'detail': 'payload and length are a batch of a webhook, and no row.',
            },
            {
                'condition': "is_envelope and code = 'd' and after_image is not null",
                'detail': 'op is d and after is a row.',
            },
        ],
        'tombstone_key': kafka_cdc.named_key(),
        'columns': {
            'source_name': 'null',
            'source_database_type': "'cockroachdb'",
            'source_tenant': 'null',
            'source_database': 'source.database_name',
            'source_schema': 'source.schema_name',
            'source_table': 'coalesce(' ~ kafka_cdc.cockroachdb_table()
                ~ ", if(is_envelope, try_element_at(document, 'topic'), metadata.topic), "
                ~ 'if(is_resolved, null, kafka_topic))',
            'operation': operation,
            'operation_code': 'code',
            'occurred_at': kafka_cdc.epoch_timestamp(occurred_at, 'us'),
            'emitted_at': kafka_cdc.epoch_timestamp(emitted_at, 'us'),
            'source_sequence': source_sequence,
            'key_columns': 'coalesce(source.primary_keys, map_keys(key))',
            'before_row': before_row,
            'after_row': 'case when is_delete then null when is_envelope then after_image else '
                ~ kafka_cdc.row_with_key(own_row, 'key', 'map_keys(key)') ~ ' end',
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': kafka_cdc.debezium_column_types('columns'),
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
