{#
  Debezium, JSON, with or without the schema envelope: the relational connectors (MySQL, MariaDB, PostgreSQL, SQL Server, Oracle, Db2).
  Document: Debezium 2.x and 3.x reference, "Data change events" of each connector; also the default of Tencent CKafka.

    key:   {"id": 1004}
    value: {"before": null, "after": {"id": 1004, "email": "annek@noanswer.org"},
            "source": {"connector": "mysql", "name": "shop", "ts_ms": 1465581029000, "db": "inventory", "table": "customers",
                       "file": "mysql-bin.000003", "pos": 484, "row": 0}, "op": "c", "ts_ms": 1465581029523}

  Quirks
  * The key's columns are in the Kafka key only; topic routing may add the table's name, which is no column. A key that changes comes as d, tombstone, c.
  * Schema changes ({ddl, tableChanges}; SQL Server has no ddl), transactions ({status, id}), heartbeats ({ts_ms}), notifications ({aggregate_type}, in
    mapped topics): topics of their own.
  * A snapshot begins with DROP TABLE IF EXISTS and CREATE TABLE of each table, at the position of its rows and in another topic; some
    snapshots read no rows at all. They describe the tables, nothing was dropped: other.
  * PostgreSQL's `before` shows columns outside the replica identity as null: nulls count only with replica_identity: full.
  * Unchanged TOAST columns and LOBs (MySQL: binlog_row_image NOBLOB) hold a placeholder in the column's own encoding: not said, the image is partial.
  * Positions: MySQL file, pos, row; MariaDB file, pos: since 11.4 its log says one position for all events of a transaction, and each counts
    its rows anew, so that within it the offset is the order; PostgreSQL last commit's and own LSN (a snapshot row's own may exceed a later commit's,
    an incremental snapshot's are in `sequence` alone); SQL Server and Db2 commit_lsn, change_lsn, event_serial_no; Oracle commit_scn, scn, ssn. Times never order.
#}
{% macro format_debezium() %}
    {%- set source = dict.fromkeys(['connector', 'name', 'ts_ms', 'db', 'schema', 'table', 'snapshot', 'file', 'pos', 'row', 'lsn', 'sequence', 'scn',
        'commit_scn', 'ssn', 'commit_lsn', 'change_lsn', 'event_serial_no'], 'string') -%}
    {%- set change = dict(dict.fromkeys(['op', 'ts_ms', 'status', 'id', 'aggregate_type', 'databaseName', 'schemaName', 'ddl'], 'string'), source=source,
        before='map<string, string>', after='map<string, string>', tableChanges='array<struct<type: string, id: string>>') -%}
    {%- set column = 'struct<field: string, type: string, name: string, parameters: map<string, string>>' -%}
    {%- set signature = dict(dict.fromkeys(['op', 'status', 'id', 'ts_ms'], 'string'), source={'connector': 'string'}) -%}
    {%- set fields = dict(change, schema={'fields': 'array<struct<field: string, fields: array<' ~ column ~ '>>>'}, payload=change) -%}
    {{ return({
        'fields': kafka_cdc.struct_fields(fields),
        'variables': {
            'change': kafka_cdc.payload_or_message('debezium', change),
            'key': kafka_cdc.debezium_key(),
            'before_said': kafka_cdc.debezium_reported_row("coalesce(change.before, if(change.op = 'd', key, null))",
                "change.source.connector = 'postgresql' and coalesce(settings.replica_identity, 'default') <> 'full'"),
            'after_said': kafka_cdc.debezium_reported_row('change.after', 'false'),
            'columns': "get(filter(debezium.schema.fields, f -> f.field = 'after'), 0).fields",
        },
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': "coalesce(signature.payload.source, signature.source) is not null or signature.payload.op in ('c', 'u', 'd', 'r', 't', 'm') "
                ~ "or coalesce(signature.payload.status, signature.status) in ('BEGIN', 'END') and coalesce(signature.payload.id, signature.id) "
                ~ 'is not null or coalesce(signature.payload.ts_ms, signature.ts_ms) is not null and ' ~ kafka_cdc.debezium_timestamp_only_condition(),
        },
        'required': {
            'source': 'if(change.op is null or change.source is not null, true, null)',
            'source.table': "if(change.op in ('c', 'u', 'd', 'r', 't'), change.source.`table`, '')",
        },
        'ddl_targets': 'change.tableChanges.id', 'tombstone_key': kafka_cdc.debezium_key(),
        'snapshot_mark': "case when change.source.snapshot like 'first%' then 'start' when change.source.snapshot like 'last%' then 'complete' end",
        'columns': {
            'source_name': 'change.source.name',
            'source_database_type': 'change.source.connector',
            'source_tenant': 'null',
            'source_database': 'coalesce(change.source.db, change.databaseName)',
            'source_schema': 'coalesce(change.source.schema, change.schemaName)',
            'source_table': 'change.source.`table`',
            'operation': 'case when change.op is not null then ' ~ kafka_cdc.map_operation('change.op', {
                    'c': 'insert', 'u': 'update', 'd': 'delete', 'r': 'snapshot', 't': 'truncate', 'm': 'other'})
                ~ " when change.status in ('BEGIN', 'END') then 'transaction' when change.aggregate_type is not null then 'other'"
                ~ " when change.ddl is not null then if(coalesce(change.source.snapshot, 'false') in ('false', 'incremental'), 'ddl', 'other')"
                ~ ' when change.tableChanges is not null then '
                ~ kafka_cdc.map_operation('get(change.tableChanges, 0).type', {'CREATE': 'create', 'ALTER': 'alter', 'DROP': 'drop'})
                ~ ' when change.ts_ms is not null and ' ~ kafka_cdc.debezium_timestamp_only_condition() ~ " then 'heartbeat' end",
            'operation_code': 'coalesce(change.op, change.status, get(change.tableChanges, 0).type)',
            'occurred_at': kafka_cdc.epoch_timestamp('change.source.ts_ms'),
            'emitted_at': kafka_cdc.epoch_timestamp('change.ts_ms'),
            'source_sequence': kafka_cdc.debezium_sequence('change.source'),
            'key_columns': 'map_keys(key)',
            'before_row': 'before_said',
            'after_row': 'after_said',
            'image': "if(size(after_said) < size(change.after), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays('columns.field', "transform(columns, c -> concat_ws(' ', coalesce(c.name, c.type), to_json(c.parameters)))"),
            'ddl_text': 'change.ddl',
        },
    }) }}
{% endmacro %}
