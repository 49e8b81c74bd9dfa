{#
  Debezium, JSON, with or without the schema envelope: the relational connectors (MySQL, MariaDB, PostgreSQL, SQL Server, Oracle, Db2).
  Document: Debezium 2.x and 3.x reference, "Data change events" of each connector; also the default of Tencent CKafka.

    key:   {"id": 1004}
    value: {"before": null, "after": {"id": 1004, "email": "annek@noanswer.org"},
            "source": {"connector": "mysql", "name": "shop", "ts_ms": 1465581029000, "db": "inventory", "table": "customers",
                       "file": "mysql-bin.000003", "pos": 484, "row": 0}, "op": "c", "ts_ms": 1465581029523}

  Quirks
  * The key's columns are in the Kafka key only. A key that changes comes as d, tombstone, c.
  * Schema changes ({ddl, tableChanges}), transactions ({status, id}) and heartbeats ({ts_ms}) come through topics of their own.
  * PostgreSQL's `before` says nothing of columns outside the replica identity, though it shows them as null: its nulls count
    only where the topic says replica_identity: full.
  * Unchanged TOAST columns and LOBs hold a placeholder in the column's own encoding: they are not said, the image is partial.
  * Positions: MySQL file, pos, row; PostgreSQL last commit's and own LSN (a snapshot row's own LSN may exceed a later commit's);
    SQL Server and Db2 commit_lsn, change_lsn, event_serial_no; Oracle commit_scn, scn, ssn. Times never order.
#}
{% macro format_debezium() %}
    {%- set source = {'connector': 'string', 'name': 'string', 'ts_ms': 'string', 'db': 'string', 'schema': 'string', 'table': 'string',
        'file': 'string', 'pos': 'string', 'row': 'string', 'lsn': 'string', 'sequence': 'string', 'scn': 'string',
        'commit_scn': 'string', 'ssn': 'string', 'commit_lsn': 'string', 'change_lsn': 'string', 'event_serial_no': 'string'} -%}
    {%- set change = {'before': 'map<string, string>', 'after': 'map<string, string>', 'source': source, 'op': 'string',
        'ts_ms': 'string', 'status': 'string', 'id': 'string', 'databaseName': 'string', 'schemaName': 'string', 'ddl': 'string',
        'tableChanges': 'array<struct<type: string>>'} -%}
    {%- set column = 'struct<field: string, type: string, name: string, parameters: map<string, string>>' -%}
    {%- set signature = {'source': {'connector': 'string'}, 'op': 'string', 'status': 'string', 'id': 'string', 'ts_ms': 'string'} -%}
    {%- set fields = dict(change, schema={'fields': 'array<struct<field: string, fields: array<' ~ column ~ '>>>'}, payload=change) -%}
    {%- set plain = [] -%}
    {%- for name in change %}{% do plain.append('debezium.`' ~ name ~ '`') %}{% endfor -%}
    {{ return({
        'fields': struct_fields(fields),
        'variables': {
            'change': 'coalesce(debezium.payload, struct(' ~ plain | join(', ') ~ '))',
            'key': _debezium_key(),
            'before_said': _debezium_said("coalesce(change.before, if(change.op = 'd', key, null))",
                "change.source.connector = 'postgresql' and coalesce(settings.replica_identity, 'default') <> 'full'"),
            'after_said': _debezium_said('change.after', 'false'),
        },
        'recognised_by': {
            'signature': dict(signature, payload=signature),
            'condition': 'coalesce(signature.payload.source, signature.source) is not null '
                ~ "or signature.payload.op in ('c', 'u', 'd', 'r', 't', 'm') "
                ~ "or coalesce(signature.payload.status, signature.status) in ('BEGIN', 'END') "
                ~ 'and coalesce(signature.payload.id, signature.id) is not null '
                ~ 'or coalesce(signature.payload.ts_ms, signature.ts_ms) is not null and ' ~ _debezium_says_only_time(),
        },
        'required': {
            'source': 'if(change.op is null or change.source is not null, true, null)',
            'source.table': "if(change.op in ('c', 'u', 'd', 'r', 't'), change.source.`table`, '')",
        },
        'columns': {
            'source_name': 'change.source.name',
            'source_database_type': 'change.source.connector',
            'source_tenant': 'null',
            'source_database': 'coalesce(change.source.db, change.databaseName)',
            'source_schema': 'coalesce(change.source.schema, change.schemaName)',
            'source_table': 'change.source.`table`',
            'operation': 'case when change.op is not null then ' ~ known_operation('change.op', {
                    'c': 'insert', 'u': 'update', 'd': 'delete', 'r': 'snapshot', 't': 'truncate', 'm': 'other'})
                ~ " when change.status in ('BEGIN', 'END') then 'transaction'"
                ~ " when change.ddl is not null or change.tableChanges is not null then 'ddl'"
                ~ ' when change.ts_ms is not null and ' ~ _debezium_says_only_time() ~ " then 'heartbeat' end",
            'operation_code': 'coalesce(change.op, change.status, change.tableChanges[0].type)',
            'occurred_at': epoch_timestamp('change.source.ts_ms'),
            'emitted_at': epoch_timestamp('change.ts_ms'),
            'source_sequence': _debezium_sequence('change.source'),
            'key_columns': 'map_keys(key)',
            'before_row': 'before_said',
            'after_row': 'after_said',
            'image': "if(size(after_said) < size(change.after), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': "map_from_entries(transform(element_at(filter(debezium.schema.fields, f -> f.field = 'after'), 1).fields, "
                ~ "c -> struct(c.field, concat_ws(' ', coalesce(c.name, c.type), to_json(c.parameters)))))",
            'ddl_text': 'change.ddl',
        },
    }) }}
{% endmacro %}

{# Prints the Kafka key as a map of column → text; null where the topic has no key, or none in JSON. #}
{% macro _debezium_key() -%}
    {%- set exact_key = quote_numbers('kafka_key', "''") -%}
    if(
        get_json_object(kafka_key, '$.schema.type') is null,
        from_json({{ exact_key }}, 'map<string, string>'),
        from_json({{ exact_key }}, 'payload map<string, string>').payload
    )
{%- endmacro %}

{# Prints a condition: the message says a time and nothing else. #}
{% macro _debezium_says_only_time() -%}
    size(array_except(json_object_keys(coalesce(get_json_object(value, '$.payload'), value)), array('ts_ms', 'ts_us', 'ts_ns'))) = 0
{%- endmacro %}

{#
  Prints a row without the columns that it does not say: nulls, where `nulls_say_nothing`, and the placeholder of unavailable
  values as text, bytes (base64, hex), UUID, hstore, and array of texts, UUIDs or numbers. MySQL and SQL Server have none.
#}
{% macro _debezium_said(row, nulls_say_nothing) -%}
    {%- set text, uuid = '__debezium_unavailable_value', 'b68a35a7-17ad-35b3-af2a-ae46edb4545a' -%}
    {%- set bytes = '95,95,100,101,98,101,122,105,117,109,95,117,110,97,118,97,105,108,97,98,108,101,95,118,97,108,117,101' -%}
    {%- set placeholders = [text, 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==', '5f5f646562657a69756d5f756e617661696c61626c655f76616c7565', uuid,
        '["' ~ text ~ '"]', '["' ~ uuid ~ '"]', '[' ~ bytes ~ ']', '{"' ~ text ~ '":"' ~ text ~ '"}'] -%}
    if(
        change.source.connector in ('mysql', 'mariadb', 'sqlserver'),
        {{ row }},
        map_filter({{ row }}, (name, text) -> if(text is null, not ({{ nulls_say_nothing }}), text not in ('{{ placeholders | join("', '") }}')))
    )
{%- endmacro %}

{# Prints the position of a change in its database's log, null for a message without one. #}
{% macro _debezium_sequence(source) -%}
    case
        when {{ source }}.connector in ('mysql', 'mariadb') and (change.op is not null or {{ source }}.file is not null) then array(
            try_cast(regexp_extract({{ source }}.file, r'([0-9]+)$', 1) as bigint), try_cast({{ source }}.pos as bigint),
            try_cast(coalesce({{ source }}.`row`, '0') as bigint))
        when {{ source }}.connector = 'postgresql' then array(
            try_cast(coalesce(get_json_object({{ source }}.sequence, '$[0]'), {{ source }}.lsn) as bigint), try_cast({{ source }}.lsn as bigint))
        when {{ source }}.connector in ('sqlserver', 'db2') and (change.op is not null or {{ source }}.commit_lsn is not null) then if(
            concat_ws(':', {{ source }}.commit_lsn, {{ source }}.change_lsn) rlike r'^[0-9a-fA-F]{8}(:[0-9a-fA-F]{4,8})+$',
            transform(
                split(concat_ws(':', {{ source }}.commit_lsn, {{ source }}.change_lsn, hex(try_cast({{ source }}.event_serial_no as bigint))), ':'),
                part -> try_cast(conv(part, 16, 10) as bigint)),
            array(cast(null as bigint)))
        when {{ source }}.connector = 'oracle' and (change.op is not null or {{ source }}.scn is not null) then array_compact(array(
            try_cast(coalesce({{ source }}.commit_scn, {{ source }}.scn) as bigint), try_cast({{ source }}.scn as bigint),
            try_cast({{ source }}.ssn as bigint)))
    end
{%- endmacro %}
