{#
  Maxwell's daemon, MySQL.
  Document: Maxwell, "Data format", "Bootstrapping" and "Kafka options" (keys) of its reference, 1.4x.

    key:   {"database": "test", "table": "e", "pk.id": 1}
    value: {"database": "test", "table": "e", "type": "update", "ts": 1477053234, "xid": 23396, "commit": true,
            "position": "master.000006:800911", "server_id": 23042, "thread_id": 108,
            "data": {"id": 1, "m": 5.444, "c": "2016-10-21 05:33:54.631000"}, "old": {"m": 4.2341, "c": "2016-10-21 05:33:37.523000"}}

  Quirks
  * `old` holds only what changed, and is left out where only excluded columns did. The row of a DELETE is in `data`. ts is seconds, of DDL milliseconds.
  * The key is in primary_key_columns (where configured), else in the Kafka key, there in lower case: {"pk.id": …} or [db, table, [{id: …}]].
  * position (where configured) and xoffset order; the row that commits has no xoffset and is the last of its transaction. Without
    position the Kafka offset orders: xid starts anew with the server.
  * bootstrap-insert is a row of the snapshot, bootstrap-start and -complete are marks with empty data.
  * Numbers are JSON numbers, bytes base64, a SET is a JSON array, zero dates are as they are.
#}
{% macro format_maxwell() %}
    {%- set occurred_at = "if(maxwell.type rlike r'^(?:table|database)-', " ~ kafka_cdc.epoch_timestamp('maxwell.ts') ~ ', ' ~ kafka_cdc.epoch_timestamp('maxwell.ts', 's') ~ ')' -%}
    {{ return({
        'fields': 'database string, `table` string, type string, ts string, xoffset string, commit string, position string, '
            ~ 'primary_key_columns array<string>, data map<string, string>, `old` map<string, string>, sql string',
        'variables': {'key_names': kafka_cdc._maxwell_key_names()},
        'recognized_by': {
            'signature': {'type': 'string', 'ts': 'string', 'database': 'string', 'isDdl': 'string'},
            'condition': "signature.type rlike r'^(?:insert|update|delete|(?:bootstrap|table|database)-[a-z]++)\\z' and signature.ts is not null "
                ~ 'and signature.database is not null and signature.isDdl is null',
        },
        'required': {
            'type': 'maxwell.type',
            'ts': occurred_at,
            'database': 'maxwell.database',
            'table': "if(maxwell.type like 'database-%', '', maxwell.`table`)",
        },
        'ddl_targets': "if(maxwell.type like 'database-%', array(concat('`', replace(maxwell.database, '`', ''), '`.')), null)",
        'snapshot_mark': "case maxwell.type when 'bootstrap-start' then 'start' when 'bootstrap-complete' then 'complete' end",
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mysql'",
            'source_tenant': 'null',
            'source_database': 'maxwell.database',
            'source_schema': 'null',
            'source_table': 'maxwell.`table`',
            'operation': kafka_cdc.map_operation('maxwell.type', {
                'insert': 'insert', 'update': 'update', 'delete': 'delete', 'bootstrap-insert': 'snapshot', 'bootstrap-start': 'other',
                'bootstrap-complete': 'other', 'table-create': 'create', 'table-alter': 'alter', 'table-drop': 'drop',
                'database-create': 'create', 'database-alter': 'alter', 'database-drop': 'drop',
            }),
            'operation_code': 'maxwell.type',
            'occurred_at': occurred_at,
            'emitted_at': 'null',
            'source_sequence': kafka_cdc._maxwell_sequence(),
            'key_columns': 'if(size(maxwell.primary_key_columns) > 0, maxwell.primary_key_columns, key_names)',
            'before_row': "case maxwell.type when 'update' then coalesce(" ~ kafka_cdc.reconstruct_before_row('maxwell.data', 'maxwell.`old`') ~ ", maxwell.data) when 'delete' then maxwell.data end",
            'after_row': "if(maxwell.type = 'delete', null, maxwell.data)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'maxwell.sql',
        },
    }) }}
{% endmacro %}

{# Prints SQL for the key columns that the Kafka key names, in either of its forms, as the row spells them; empty or null for none. #}
{% macro _maxwell_key_names() -%}
    {%- set listed = "from_json(get(from_json(kafka_key, 'array<string>'), 2), 'array<map<string, string>>')" -%}
    transform(
        if(
            kafka_key like '[%',
            flatten(transform({{ listed }}, part -> map_keys(part))),
            transform(filter(map_keys(from_json(kafka_key, 'map<string, string>')), member -> member like 'pk.%'), member -> substring(member, 4))
        ),
        lower_name -> coalesce(get(filter(map_keys(maxwell.data), name -> lower(name) = lower_name), 0), lower_name)
    )
{%- endmacro %}

{# Prints SQL for [file, position, place in the transaction]; null for a message without a position. #}
{% macro _maxwell_sequence() -%}
    {%- set position = "r'\\.([0-9]+):([0-9]+)(?:\\[|$)'" -%}
    case when maxwell.position is not null then
        {{ kafka_cdc.sequence_array([
            'regexp_extract(maxwell.position, ' ~ position ~ ', 1)', 'regexp_extract(maxwell.position, ' ~ position ~ ', 2)',
            "coalesce(maxwell.xoffset, if(maxwell.commit = 'true', '9223372036854775807', '0'))",
        ]) }}
    end
{%- endmacro %}
