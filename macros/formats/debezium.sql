{#
  Debezium, JSON, of the relational connectors, with or without the schema envelope.

  The connectors are those of MySQL, MariaDB, PostgreSQL, SQL Server, Oracle, Db2, Informix, Vitess, Spanner,
  CockroachDB, YashanDB, Ingres, SQLite and TiDB. Confluent's connector for Oracle XStream and SingleStore's
  connector are read, too. TiCDC, Flink CDC, Flink, SeaTunnel and dtle write the same messages without some of
  their fields. The format covers inserts, updates, deletes, snapshots, TRUNCATE, schema changes, transactions,
  heartbeats and notifications. It is also the default of Tencent CKafka.
  Document: Debezium 2.x and 3.x reference, "Data change events" of each connector; TiDB, "TiCDC Debezium Protocol";
  Flink CDC, "Kafka pipeline connector"; Apache Flink, "Debezium Format"; SingleStore, "… connector for Debezium".
  Whether an update with Spanner's NEW_VALUES is whole was not found in a document.

    key:   {"id": 1004}
    value: {"before": null, "after": {"id": 1004, "email": "annek@noanswer.org"},
            "source": {"connector": "mysql", "name": "shop", "ts_ms": 1465581029000,
                       "db": "inventory", "table": "customers", "file": "mysql-bin.000003",
                       "pos": 484, "row": 0}, "op": "c", "ts_ms": 1465581029523}

  Quirks
  * The key's columns are in the Kafka key only, which may be in `payload` without `schema`. Topic routing may
    add the table's name to the key, which is no column.
  * A primary-key update arrives as a delete (`d`), a tombstone and an insert (`c`).
  * Schema changes (`ddl`, `tableChanges`), transactions (`status`, `id`) and heartbeats (`ts_ms`)
    have topics of their own. SQL Server's schema changes have no `ddl`.
  * Notifications (`aggregate_type`) are read only from topics that `topics` maps to this format.
  * A snapshot begins with DROP TABLE IF EXISTS and CREATE TABLE of each table. They have the
    position of its rows and are in another topic. Some snapshots read no rows.
  * The statements of a snapshot describe the tables, and nothing was dropped. They become control
    events. So do the records of the schema history (`position`), a topic of the connector's own.
  * PostgreSQL's `before` has null or a default ('' or 0) for columns outside the replica identity.
    Only its key is read, unless `replica_identity` of the topic is `full`.
  * SQL Server's `before` has null for large values that did not change, and in a deleted row for
    text, ntext and image. Its nulls are no values.
  * Unchanged TOAST columns and LOBs contain a placeholder in the column's own encoding (MySQL: with
    `binlog_row_image=NOBLOB`; SQL Server: max types). Such a column is missing, and the image is partial.
  * MySQL changes are ordered by `file`, `pos` and `row`. A position that lacks a part is none.
  * MariaDB changes are ordered by `file` and `pos`. Since 11.4 all events of a transaction have one position,
    and each event counts its rows from 0. Within a transaction the offset is the order.
  * PostgreSQL changes are ordered by the LSN of the last commit and their own LSN. The own LSN of a snapshot row may
    exceed that of a later commit. An incremental snapshot has its LSNs in `sequence` only.
  * SQL Server and Db2 changes are ordered by `commit_lsn`, `change_lsn` and `event_serial_no`. The
    snapshot rows of Flink CDC and SeaTunnel have the lowest LSN, `00` or `80`, and precede them.
  * Oracle changes are ordered by `commit_scn`, `scn` and `ssn`. Informix changes are ordered by `commit_lsn`
    and `change_lsn`, SQLite changes by `change_id`.
  * YashanDB changes are ordered by `position_scn`, `group_lsn`, `group_offset` and `batch_row_id`.
  * CockroachDB changes are ordered by `ts_hlc`. A delete has no image, and its key is in the Kafka key.
  * TiCDC changes are ordered by `commit_ts`. Its `file`, `pos` and `row` are empty. `m` is a
    watermark. Debezium's connector for TiDB reads them and keeps `commit_ts`.
  * SingleStore writes no image before a change. A delete has its key in the Kafka key only.
  * Vitess changes are ordered by `transaction_epoch`, `transaction_rank` and `total_order` of
    `transaction` if `provide.transaction.metadata` is ordered. `keyspace` is the database.
  * Spanner changes are ordered by the commit time, which is unique for a row, `sequence` and `mod_number`.
  * An update of Spanner is partial, unless `value_capture_type` is NEW_ROW or
    NEW_ROW_AND_OLD_VALUES. A null after it counts only if `before` has a value.
  * Changes of different rows come in any order from the shards of Vitess, from Spanner and from
    CockroachDB. A position that falls is then no finding.
  * Without a position the offset orders a table, never a time. So it does for Oracle XStream CDC.
  * Snapshot rows without a position precede all changes: `r` of Flink CDC, `c` with `snapshot` true of dtle.
  * A message with `op` but without a source and an image is a row of another format.
  * A message of a connector that is not listed is rejected as `unknown_connector`. The same fields
    may mean something else. Cassandra, Scylla and YugabyteDB (gRPC) write a cell instead of a value.
  * YugabyteDB's connector of logical replication calls itself postgresql. With its default replica identity CHANGE, a
    null may be a column that did not change, and its plugin yboutput writes cells (`debezium_cells`). It is rejected as
    `unknown_connector` yugabytedb, unless the topic has a `replica_identity`, default or full.
  * Debezium before 0.9 does not name its connector. It writes `ts_sec` and a boolean `snapshot`.
  * Debezium before 0.8 names no table in the changes of PostgreSQL. The table's name is the topic's, as
    in the examples for Oracle. PostgreSQL's time before 0.10 is `ts_usec`, in microseconds or nanoseconds.
  * Flink CDC has only `db` and `table` in `source`. Its Kafka key has `TableId`, which is no column.
    Its schema does not describe its values, so the columns have no types. Later SeaTunnel has `source.database`.
  * Flink and SeaTunnel write no `source`, or `{}`. An update is a delete and an insert. The topic names the table.
  * Console consumers print Avro with the type around each optional value: `{"shop.items.Value":
    {"id": 1}}` instead of the row. Such messages are rejected.
  * `auto` recognizes a message without `source` by `op`, `before` and `after`, if it has no other
    members than those of the document. A member of an application may name its table.

  Limits
  * OceanBase OMS (Debezium) and CloudCanal (Debezium Envelope) call this format theirs. No sample of
    them was available, and neither is tested. Another name in `connector` is rejected.
  * A custom `unavailable.value.placeholder` is read as a value.
  * Topic routing with another `key.field.name` adds a column to the key that no row has. Such
    messages are rejected (`missing_key`), unless `tables` names the key.
  * MySQL: Debezium leaves out TRUNCATE by default (`skipped.operations=t`).
  * SingleStore: without a primary key, the Kafka key `InternalId` is in no row: rejected (`missing_key`).
  * MySQL with `binlog_transaction_compression` has one position per transaction: set `order_by: offset` for the table.
  * SQL Server: a captured computed column is null in every change. `change_lsn` is not always monotonic within
    a transaction: set `order_by: offset` for the table.
  * SQL Server: in tables of more than eight columns, a value of a max type that changed may arrive as the
    placeholder (debezium/dbz#2650). The row then keeps its old value.
  * Oracle: ssn restarts with each redo record. Up to 2.0 only the last change of a transaction has its own
    `commit_scn`, the others have the previous one. Set `order_by: offset` for the table.
  * Vitess: with `binlog_row_image=NOBLOB`, an update sets unchanged BLOB and TEXT columns to NULL. Set FULL.
  * Vitess: `transaction_rank` counts in one shard. If a row moves to another shard, its delete may
    sort after its insert there.
  * TiCDC's new architecture writes the default of a column instead of a null. TiCDC writes a DECIMAL
    as a double, which keeps 15 digits.
  * PostgreSQL: the columns of the Kafka key must be in the replica identity. With an index that lacks
    the primary key, or other columns in `message.key.columns`, a delete names a row of defaults.
  * Kafka Connect's converters write the default of a column instead of a null, also in `after`. Set
    `replace.null.with.default` of the converters to false (Kafka 3.5 or later).
  * PostgreSQL: pgoutput sends no DDL and no generated columns. `unreplicated_ddl_effects` cannot name what an
    ALTER rewrote; `column_drift` lists the columns that changed.
  * PostgreSQL: a transaction that was in flight at the initial snapshot, and is the first after
    it, may have a position before the snapshot's.
  * PostgreSQL: an unchanged TOAST value without a placeholder arrives as null: of geometries, and before
    debezium/dbz#2418 of arrays such as `numeric[]`. It is read as NULL. Set REPLICA IDENTITY FULL for it.
  * `on_snapshot: replace`: if the first table of a snapshot has exactly one row, its only mark is `first`, so
    that no message marks it as complete. A blocking snapshot with `additional-conditions` looks complete, too.
  * A `bigint unsigned` above 2^63 arrives negative. It is decoded correctly only if `column_types` names its type.
  * Without the schema, types of the settings mean the default modes. Hexadecimal bytes may decode wrongly.
  * With `decimal.format: NUMERIC`, texts that could all be base64, such as four-digit numbers, are read as base64.
  * The year 0000 of MariaDB arrives as 1900, and NaN of a PostgreSQL `numeric(10,2)` arrives as null. A zero
    date of MySQL and MariaDB arrives as null, or as 1970-01-01 if the column is NOT NULL.
  * A bit string of PostgreSQL is decoded only with `bit(n)` in the settings: its bytes lack leading zeros.
#}
{% macro format_debezium() %}
    {%- set source = dict.fromkeys([
        'connector', 'name', 'ts_sec', 'ts_usec', 'ts_ms', 'ts_us', 'ts_ns', 'db', 'schema', 'table', 'snapshot',
        'file', 'pos', 'row', 'lsn', 'sequence', 'scn', 'commit_scn', 'ssn', 'commit_lsn', 'change_lsn',
        'event_serial_no', 'commit_ts', 'keyspace', 'record_sequence', 'mod_number', 'value_capture_type', 'ts_hlc',
        'position_scn', 'group_lsn', 'group_offset', 'batch_row_id', 'change_id', 'version', 'database',
    ], 'string') -%}
    {%- set texts = ['op', 'ts_ms', 'status', 'id', 'aggregate_type', 'databaseName', 'schemaName', 'ddl'] -%}
    {%- set change = dict(
        dict.fromkeys(texts + ['transaction', 'position'], 'string'),
        source=source,
        before='map<string, string>',
        after='map<string, string>',
        tableChanges='array<struct<type: string, id: string>>',
    ) -%}
    {%- set column = 'struct<field: string, type: string, name: string, parameters: map<string, string>>' -%}
    {%- set schema = {'fields': 'array<struct<field: string, fields: array<' ~ column ~ '>>>'} -%}

    {%- set signature = dict(
        dict.fromkeys(['op', 'status', 'id', 'ts_ms', 'before', 'after'], 'string'),
        source={'connector': 'string'},
    ) -%}
    {%- set recognized -%}
    coalesce(signature.payload.source, signature.source) is not null
    or coalesce(signature.payload.op, signature.op) in ('c', 'u', 'd', 'r')
    and coalesce(signature.payload.before, signature.payload.after, signature.before, signature.after) is not null
    and {{ kafka_cdc.debezium_members_condition(['op', 'before', 'after', 'source', 'transaction']) }}
    or coalesce(signature.payload.status, signature.status) in ('BEGIN', 'END')
    and coalesce(signature.payload.id, signature.id) is not null
    and array_contains(json_object_keys(coalesce(get_json_object(value, '$.payload'), value)), 'data_collections')
    or coalesce(signature.payload.ts_ms, signature.ts_ms) is not null
    and {{ kafka_cdc.debezium_heartbeat_condition() }}
    {%- endset -%}

    {%- set before_row = "coalesce(change.before, if(change.op = 'd', key, null))" -%}
    {%- set known_connectors = [
        'mysql', 'mariadb', 'postgresql', 'sqlserver', 'oracle', 'db2', 'informix', 'vitess', 'spanner', 'cockroachdb',
        'yashandb', 'ingres', 'sqlite', 'tidb', 'singlestore', 'TiCDC', 'Oracle XStream CDC',
    ] -%}

    {#- A Spanner update that contains only what changed. A null that was no value before is unknown. -#}
    {%- set is_changes_only -%}
    coalesce(
        connector = 'spanner' and change.op = 'u'
        and not startswith(coalesce(change.source.value_capture_type, ''), 'NEW_ROW'),
        false
    )
    {%- endset -%}

    {#- The name of the table is the topic's. -#}
    {%- set names_no_table -%}
    change.op is not null and change.source.`table` is null and coalesce(
        change.source is null or get_json_object(value, '$.source') = '{}'
        or connector = 'oracle' and change.source.connector is null
        or connector = 'postgresql' and change.source.version rlike r'^0[.][0-7][.]', false
    )
    {%- endset -%}

    {{ return({
        'fields': kafka_cdc.struct_fields(dict(change, schema=schema, payload=change)),
        'informational': [kafka_cdc.struct_fields({'schema': schema})],
        'variables': {
            'change': kafka_cdc.payload_or_message('debezium', change),
            'connector': kafka_cdc.debezium_connector('change.source'),
            'position': kafka_cdc.debezium_change_sequence(),
            'key': kafka_cdc.debezium_change_key(),
            'is_yugabytedb': kafka_cdc.debezium_unchanged_nulls_condition('change.source.version'),
            'is_changes_only': is_changes_only,
            'names_no_table': names_no_table,
            'known_before': kafka_cdc.debezium_known_columns(before_row, 'is_changes_only', 'is_changes_only'),
            'logged_before': kafka_cdc.debezium_known_before('known_before', 'connector', 'key'),
            'known_after': kafka_cdc.debezium_known_columns(
                'change.after', 'is_changes_only and try_element_at(change.before, name) is null', 'is_changes_only'
            ),
            'columns': "get(filter(debezium.schema.fields, f -> f.field = 'after'), 0).fields",
        },
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': recognized,
        },
        'deletes_first': "source_database_type = 'tidb'",
        'orders_rows_only': "source_database_type in ('vitess', 'spanner', 'cockroachdb')",
        'required': {
            'source': 'if(change.op is null or coalesce(change.source.connector, change.source.`table`) is not null '
                ~ 'or change.before is not null or change.after is not null, true, null)',
            'source.table': "if(not names_no_table and change.op in ('c', 'u', 'd', 'r', 't'), "
                ~ "nullif(change.source.`table`, ''), '')",
        },
        'rejects': [
            {
                'condition': 'is_changes_only and change.before is null '
                    ~ 'and exists(map_values(change.after), text -> text is null)',
                'detail': 'a null of an update with NEW_VALUES may be a column that did not change. '
                    ~ 'Set value_capture_type to NEW_ROW.',
            },
            {
                'condition': "coalesce(change.source.version like 'dz.%.yb.%', false) and exists("
                    ~ "map_values(coalesce(change.after, change.before)), text -> text like '{\"value\":%,\"set\":%}')",
                'detail': 'the values are cells of the plugin yboutput. Map the topic to debezium_cells.',
            },
            {
                'condition': kafka_cdc.avro_union_condition(['change.before', 'change.after'], 'change.source.`table`'),
                'detail': 'the row is the JSON of an Avro union, as a console consumer prints it. '
                    ~ 'Land the bytes of the topic instead.',
            },
        ],
        'unknown_connector': "case when is_yugabytedb then 'yugabytedb' "
            ~ "when connector in ('" ~ known_connectors | join("', '") ~ "') then null else connector end",
        'ddl_targets': 'change.tableChanges.id',
        'tombstone_key': kafka_cdc.debezium_key(),
        'snapshot_mark': kafka_cdc.debezium_snapshot_mark(),
        'columns': {
            'source_name': 'change.source.name',
            'source_database_type': "case connector when 'TiCDC' then 'tidb' "
                ~ "when 'Oracle XStream CDC' then 'oracle' else connector end",
            'source_tenant': 'null',
            'source_database': "coalesce(nullif(change.source.db, ''), nullif(change.source.database, ''), "
                ~ 'change.source.keyspace, change.databaseName)',
            'source_schema': 'coalesce(change.source.schema, change.schemaName)',
            'source_table': 'if(names_no_table, kafka_topic, change.source.`table`)',
            'operation': kafka_cdc.debezium_change_operation(),
            'operation_code': 'coalesce(change.op, change.status, get(change.tableChanges, 0).type)',
            'occurred_at': kafka_cdc.debezium_change_time('change.source'),
            'emitted_at': kafka_cdc.epoch_timestamp('change.ts_ms'),
            'source_sequence': 'position',
            'key_columns': 'map_keys(key)',
            'before_row': 'logged_before',
            'after_row': 'known_after',
            'image': "if(is_changes_only or size(known_after) < size(change.after), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'if(connector is null, null, ' ~ kafka_cdc.debezium_column_types('columns') ~ ')',
            'ddl_text': 'change.ddl',
        },
    }) }}
{% endmacro %}
