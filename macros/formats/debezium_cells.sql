{#
  Debezium connectors that write one cell per column, JSON: Cassandra, Scylla, YugabyteDB.

  The format covers inserts, updates, deletes and snapshots, with or without the schema envelope. It
  reads the connectors for Cassandra and Scylla's legacy format. Of YugabyteDB, it reads the gRPC
  connector, and the connector of logical replication with the plugin yboutput.
  Document: Scylla CDC Source Connector 1.2, README, "Data change events"; Debezium 3.x, "Debezium
  connector for Cassandra"; YugabyteDB, "gRPC Replication" (read in part: its samples were not
  reached) and "Get started with CDC using logical replication".

    key:   {"pk": 1, "ck": 1}
    value: {"source": {"connector": "scylla", "name": "MyScyllaCluster", "ts_ms": 1706000000000,
                       "ts_us": 1706000000000123, "keyspace_name": "ks", "table_name": "t"},
            "before": null, "after": {"ck": 1, "pk": 1, "v": {"value": "new value"}}, "op": "u",
            "ts_ms": 1706000000500}

  Quirks
  * A column that is null was not modified. Its value stays what it was. The image is partial.
  * A cell is `{"value": …}`, with `set` and `deletion_ts` in Cassandra and `set` in YugabyteDB. A
    cell whose value is null sets the column to NULL.
  * `deletion_ts` next to a value is the time at which the value expires (TTL). The value counts.
  * An insert contains only what was set, too, and may meet an existing row. It keeps the row's
    other columns. Its operation is therefore `update`.
  * In a snapshot row (`r`) a null is NULL, and the image is whole.
  * Key columns are cells or plain values, also in the Kafka key, which names them.
  * A delete has its key in `before`, `after` or the Kafka key.
  * An update or a delete has the row before it if YugabyteDB or Scylla sends one.
  * YugabyteDB's transaction metadata (`status` BEGIN or END) are control events.
  * Scylla's changes are ordered by `ts_us`. Several tasks read the parts of a table.
  * Cassandra's changes are ordered by the time of the write, which also decides in Cassandra: `ts_us`,
    or `ts_ms` in milliseconds or microseconds. Every replica's node reports a change, so changes come
    several times and late. `file` and `pos` count in one node.
  * YugabyteDB's changes are ordered by the Kafka offset.
  * Changes come in any order, so a time that falls is no finding.
  * The insert of older Cassandra connectors is `i`.

  Limits
  * A column outside the key that is no cell rejects the message. Scylla's advanced format has plain
    values and does not show whether a row is whole: it is not read. Flattened rows of YugabyteDB
    belong to `debezium_unwrapped`.
  * Collections that are not frozen are changes of elements. They are kept as they arrive. Cassandra's
    change contains only the elements that were written, and they replace the collection.
  * Scylla's connector reports no deletes of partitions and ranges. Cassandra's deletes of partitions
    lack the clustering key (`missing_key`), and its deletes of ranges (`r`) are rejected.
  * Cassandra's time is the latest of its partition's write. It is not the row's if a batch writes
    rows of a partition `USING TIMESTAMP`.
#}
{% macro format_debezium_cells() %}
    {%- set texts = ['op', 'ts_ms', 'status', 'id'] -%}
    {%- set source = dict.fromkeys([
        'connector', 'name', 'ts_ms', 'ts_us', 'db', 'schema', 'keyspace', 'keyspace_name', 'table', 'table_name',
    ], 'string') -%}
    {%- set change = dict(
        dict.fromkeys(texts, 'string'),
        source=source,
        before='map<string, string>',
        after='map<string, string>',
    ) -%}
    {%- set column = 'struct<field: string, type: string, name: string, parameters: map<string, string>' -%}
    {%- set schema = {'fields': 'array<struct<field: string, fields: array<' ~ column
        ~ ', fields: array<' ~ column ~ '>>>>>>'} -%}

    {%- set is_transaction = "coalesce(change.status in ('BEGIN', 'END') and change.id is not null, false)" -%}
    {%- set is_cell -%}
    startswith(text, '{') and size(json_object_keys(text)) > 0
    and size(array_except(json_object_keys(text), array('value', 'set', 'deletion_ts'))) = 0
    {%- endset -%}
    {%- set cell -%}
    from_json(text, 'value string, `set` string, deletion_ts string', {{ kafka_cdc.get_json_options() }})
    {%- endset -%}
    {%- set is_key = 'array_contains(coalesce(map_keys(key), settings.key, array()), name)' -%}

    {%- set value -%}
    if(coalesce({{ is_cell | indent(4) }}, false), {{ cell }}.value, text)
    {%- endset -%}
    {%- set key -%}
    transform_values({{ kafka_cdc.debezium_key() | indent(4) }}, (name, text) -> {{ value | indent(4) }})
    {%- endset -%}
    {%- set touched -%}
    (name, text) -> text is not null
        and not coalesce({{ is_cell | indent(8) }} and {{ cell }}['set'] = 'false', false)
    {%- endset -%}
    {%- set cells_before -%}
    transform_values(map_filter(change.before, {{ touched | indent(4) }}), (name, text) -> {{ value | indent(4) }})
    {%- endset -%}
    {%- set after_row -%}
    transform_values(
        if(change.op = 'r', change.after, map_filter(change.after, {{ touched | indent(8) }})),
        (name, text) -> {{ value | indent(8) }}
    )
    {%- endset -%}
    {%- set deleted_row -%}
    coalesce(
        if(
            size(row_before) > 0,
            {{ kafka_cdc.row_with_key('row_before', 'key', 'map_keys(key)') | indent(12) }},
            key
        ),
        map_filter(
            transform_values(change.after, (name, text) -> {{ value | indent(12) }}),
            (name, text) -> text is not null
        )
    )
    {%- endset -%}

    {%- set has_plain_value -%}
    change.op in ('c', 'i', 'u', 'r') and coalesce(map_keys(key), settings.key) is not null
    and size(map_filter(
        change.after,
        (name, text) -> text is not null and not {{ is_key }} and not coalesce({{ is_cell | indent(8) }}, false)
    )) > 0
    {%- endset -%}

    {%- set types -%}
    transform(columns, c -> struct(
        c.field as field,
        coalesce(get(filter(c.fields, f -> f.field = 'value'), 0).type, c.type) as type,
        coalesce(get(filter(c.fields, f -> f.field = 'value'), 0).name, if(size(c.fields) > 0, null, c.name)) as name,
        coalesce(get(filter(c.fields, f -> f.field = 'value'), 0).parameters, c.parameters) as parameters
    ))
    {%- endset -%}

    {%- set occurred_at -%}
    coalesce(
        {{ kafka_cdc.epoch_timestamp('change.source.ts_us', 'us') | indent(8) }},
        if(
            length(change.source.ts_ms) > 15,
            {{ kafka_cdc.epoch_timestamp('change.source.ts_ms', 'us') | indent(12) }},
            {{ kafka_cdc.epoch_timestamp('change.source.ts_ms') | indent(12) }}
        )
    )
    {%- endset -%}

    {%- set written_at -%}
    case change.source.connector
        when 'scylla' then change.source.ts_us
        when 'cassandra' then coalesce(
            change.source.ts_us,
            if(length(change.source.ts_ms) > 15, change.source.ts_ms, concat(change.source.ts_ms, '000'))
        )
    end
    {%- endset -%}

    {%- set signature = dict(source={'connector': 'string'}, after='string', before='string') -%}
    {%- set recognized -%}
    coalesce(signature.payload.source.connector, signature.source.connector) in ('cassandra', 'scylla', 'yugabytedb')
    or coalesce(signature.payload.source.connector, signature.source.connector) = 'postgresql'
    and coalesce(
        signature.payload.after, signature.payload.before, signature.after, signature.before
    ) like '%":{"value":%,"set":true}%'
    {%- endset -%}
    {{ return({
        'fields': kafka_cdc.struct_fields(dict(change, schema=schema, payload=change)),
        'informational': [kafka_cdc.struct_fields({'schema': schema})],
        'variables': {
            'change': kafka_cdc.payload_or_message('debezium_cells', change),
            'key': key,
            'row_before': cells_before,
            'written_at': written_at,
            'columns': "get(filter(debezium_cells.schema.fields, f -> f.field = 'after'), 0).fields",
        },
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': recognized,
            'instead_of': ['debezium'],
        },
        'orders_rows_only': 'true',
        'required': {
            'op': 'if(' ~ is_transaction ~ ", '', change.op)",
            'source': 'if(' ~ is_transaction ~ ' or change.source is not null, true, null)',
            'source.table': 'if(' ~ is_transaction ~ ", '', coalesce(change.source.`table`, change.source.table_name))",
        },
        'rejects': [
            {
                'condition': has_plain_value,
                'detail': 'a column outside the key is no cell.',
            },
        ],
        'tombstone_key': key,
        'columns': {
            'source_name': 'change.source.name',
            'source_database_type': "if(change.source.connector = 'postgresql', 'yugabytedb', change.source.connector)",
            'source_tenant': 'null',
            'source_database': 'coalesce(change.source.keyspace, change.source.keyspace_name, change.source.db)',
            'source_schema': 'change.source.schema',
            'source_table': 'coalesce(change.source.`table`, change.source.table_name)',
            'operation': kafka_cdc.map_operation('if(' ~ is_transaction ~ ", change.status, change.op)", dict(
                kafka_cdc.get_debezium_operations(),
                c='update',
                i='update',
                BEGIN='transaction',
                END='transaction',
            )),
            'operation_code': 'coalesce(change.op, change.status)',
            'occurred_at': occurred_at,
            'emitted_at': kafka_cdc.epoch_timestamp('change.ts_ms'),
            'source_sequence': kafka_cdc.sequence_array(['written_at']),
            'key_columns': 'map_keys(key)',
            'before_row': "case change.op when 'd' then " ~ deleted_row ~ " when 'u' then row_before end",
            'after_row': "if(change.op = 'd', null, " ~ after_row ~ ')',
            'image': "if(change.op = 'r', 'full', 'partial')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.sql_let(
                {'column_definitions': types}, kafka_cdc.debezium_column_types('column_definitions')
            ),
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
