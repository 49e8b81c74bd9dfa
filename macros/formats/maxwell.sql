{#
  Maxwell's daemon, a reader of the MySQL binlog.

  The format covers inserts, updates, deletes, bootstraps and DDL.
  Document: Maxwell, "Data format", "Bootstrapping", "Encryption" and "Kafka options" (keys) of its
  reference, 1.4x.

    key:   {"database": "test", "table": "e", "pk.id": 1}
    value: {"database": "test", "table": "e", "type": "update", "ts": 1477053234, "xid": 23396,
            "commit": true, "position": "master.000006:800911", "server_id": 23042,
            "thread_id": 108, "data": {"id": 1, "m": 5.444, "c": "2016-10-21 05:33:54.631000"},
            "old": {"m": 4.2341, "c": "2016-10-21 05:33:37.523000"}}

  Quirks
  * `old` contains only what changed. It is left out if only excluded columns changed.
  * The row of a DELETE is in `data`. TiCDC (`protocol=maxwell`) writes it into `old`.
  * `ts` is in seconds, that of DDL and of SeaTunnel in milliseconds. Flink and others leave it out.
  * Flink and SeaTunnel write only `data` and `type`. An update is a delete and an insert, and the
    table's name is the topic's. Later versions of SeaTunnel also write `database`, `table` and `ts`,
    which may be null.
  * The key is in `primary_key_columns` if that is configured, else in the Kafka key.
  * The Kafka key has the names in lower case: `{"pk.id": …}` or `[db, table, [{id: …}]]`. With
    `output_naming_strategy` the row has the column `user_id` as `userId`, and the key does not.
  * `position` (if configured) and `xoffset` order changes. The row that commits has no `xoffset`
    and is the last of its transaction.
  * Without `position` the Kafka offset orders changes, because `xid` restarts with the server.
  * bootstrap-insert is a snapshot row. bootstrap-start and bootstrap-complete are markers with
    empty `data`.
  * RENAME TABLE with several tables is a message for each of them, with the whole statement. Its
    `old` and `def` name the one table that it renames. Its event has the statement of this table.
  * With `binlog_row_image=MINIMAL`, `data` of an update contains the key and the columns that the
    statement sets. With NOBLOB it lacks TEXT and BLOB columns that did not change. A column that is
    missing in `old` may have changed, too. No message shows either.
  * If `binlog_row_image` of the topic is `minimal` or `noblob`, images are partial, and only `old` and
    the key are known of the row before.
  * Numbers are JSON numbers, bytes are base64, and a SET is a JSON array. Zero dates are kept as
    they are.

  Limits
  * Messages are not decrypted. With `encrypt=data` the row is in `encrypted`, with `encrypt=all` the
    whole message. Both are rejected as `encrypted`.
  * OceanBase OMS Community Edition has a serialization Maxwell for Kafka. No sample of it was
    available, and it is not tested.
  * A second bootstrap has no position. It sorts before all changes and repairs nothing until an
    entry of `sequence_resets` names its first message.
  * If the MySQL server has `binlog_row_image` MINIMAL or NOBLOB, set `binlog_row_image` for the
    topic. Otherwise an update removes the values of the columns that `data` lacks.
  * With MINIMAL or NOBLOB, a row that was inserted lacks columns that have their defaults.
  * Maxwell needs `output_null_values`. Without it `old` lacks values that were NULL, and a partial
    image those that are NULL: they look unchanged.
  * A TIMESTAMP is in UTC, also where the server's time zone is another one. A bootstrap writes it in
    the time zone of its session.
  * A BINARY column lacks its trailing zero bytes, except in a bootstrap. Such a key has two texts.
  * `on_snapshot: replace`: `maxwell-bootstrap --where` looks like a complete snapshot although it
    is filtered.
  * MySQL with `binlog_transaction_compression` writes one position for all events of a
    transaction: set `order_by: offset` for the table.
#}
{% macro format_maxwell() %}
    {%- set occurred_at -%}
    if(
        maxwell.type rlike r'^(?:table|database)-' or length(maxwell.ts) > 11,
        {{ kafka_cdc.epoch_timestamp('maxwell.ts') | indent(8) }},
        {{ kafka_cdc.epoch_timestamp('maxwell.ts', 's') | indent(8) }}
    )
    {%- endset -%}

    {%- set recognized -%}
    signature.type rlike r'^(?:insert|update|delete|(?:bootstrap|table|database)-[a-z]++)\z'
    and signature.isDdl is null
    and (
        signature.database is not null
        and (
            coalesce(signature.ts, signature.`table`) is not null
            or signature.type in ('database-create', 'database-alter', 'database-drop')
        )
        or {{ kafka_cdc._maxwell_bare_row_condition('signature') }} and signature.data is not null
        and {{ kafka_cdc.bare_row_members_condition(['database', 'table', 'ts']) }}
    )
    or coalesce(signature.database, signature.`table`, signature.type, signature.data) is null
    and signature.encrypted.bytes is not null and signature.encrypted.iv is not null
    {%- endset -%}

    {%- set ddl_targets -%}
    if(maxwell.type like 'database-%', array(concat('`', replace(maxwell.database, '`', ''), '`.')), null)
    {%- endset -%}

    {%- set snapshot_mark -%}
    case maxwell.type when 'bootstrap-start' then 'start' when 'bootstrap-complete' then 'complete' end
    {%- endset -%}

    {%- set before_row -%}
    case
        when lower(maxwell.type) = 'delete' then coalesce(maxwell.data, maxwell.`old`)
        when lower(maxwell.type) = 'update' and lacks_columns
            then {{ kafka_cdc.known_before_row(
                'maxwell.data', 'maxwell.`old`', 'coalesce(own_key, settings.key)'
            ) | indent(12) }}
        when lower(maxwell.type) = 'update' then coalesce(
            {{ kafka_cdc.reconstruct_before_row('maxwell.data', 'maxwell.`old`') | indent(12) }},
            maxwell.data
        )
    end
    {%- endset -%}

    {#- A RENAME of several tables is a message for each of them, with the whole statement. -#}
    {%- set ddl_text -%}
    if(
        maxwell.type = 'table-alter' and maxwell.sql rlike r'(?is)^\s*+rename\b.*,'
        and maxwell.def.`table` is not null and try_element_at(maxwell.`old`, 'table') is not null,
        concat(
            'RENAME TABLE `',
            replace(coalesce(try_element_at(maxwell.`old`, 'database'), maxwell.database), '`', '``'), '`.`',
            replace(try_element_at(maxwell.`old`, 'table'), '`', '``'), '` TO `',
            replace(coalesce(maxwell.def.database, maxwell.database), '`', '``'), '`.`',
            replace(maxwell.def.`table`, '`', '``'), '`'
        ),
        maxwell.sql
    )
    {%- endset -%}

    {%- set encrypted = 'encrypted struct<bytes: string, iv: string>' -%}
    {{ return({
        'fields': 'database string, `table` string, type string, ts string, xoffset string, commit string, '
            ~ 'position string, primary_key_columns array<string>, '
            ~ 'data map<string, string>, `old` map<string, string>, sql string, '
            ~ 'def struct<database: string, `table`: string>, ' ~ encrypted,
        'informational': [encrypted],
        'encrypted': 'maxwell.encrypted.bytes is not null and maxwell.encrypted.iv is not null',
        'variables': {
            'key_names': kafka_cdc._maxwell_key_names(),
            'own_key': 'if(size(maxwell.primary_key_columns) > 0, maxwell.primary_key_columns, '
                ~ 'if(size(key_names) > 0, key_names, null))',
            'lacks_columns': kafka_cdc.partial_binlog_rows_condition(),
            'is_bare': kafka_cdc._maxwell_bare_row_condition('maxwell'),
        },
        'recognized_by': {
            'signature': dict(
                dict.fromkeys(['type', 'ts', 'database', 'table', 'data', 'isDdl'], 'string'),
                encrypted={'bytes': 'string', 'iv': 'string'}
            ),
            'condition': recognized,
        },
        'required': {
            'type': 'maxwell.type',
            'database': "if(is_bare, '', maxwell.database)",
            'table': "if(is_bare or maxwell.type like 'database-%', '', maxwell.`table`)",
        },
        'ddl_targets': ddl_targets,
        'snapshot_mark': snapshot_mark,
        'columns': {
            'source_name': 'null',
            'source_database_type': "if(is_bare, null, 'mysql')",
            'source_tenant': 'null',
            'source_database': 'maxwell.database',
            'source_schema': 'null',
            'source_table': 'coalesce(maxwell.`table`, if(is_bare, kafka_topic, null))',
            'operation': kafka_cdc.map_operation('if(is_bare, lower(maxwell.type), maxwell.type)', {
                'insert': 'insert',
                'update': 'update',
                'delete': 'delete',
                'bootstrap-insert': 'snapshot',
                'bootstrap-start': 'other',
                'bootstrap-complete': 'other',
                'table-create': 'create',
                'table-alter': 'alter',
                'table-drop': 'drop',
                'database-create': 'create',
                'database-alter': 'alter',
                'database-drop': 'drop',
            }),
            'operation_code': 'maxwell.type',
            'occurred_at': occurred_at,
            'emitted_at': 'null',
            'source_sequence': kafka_cdc._maxwell_sequence(),
            'key_columns': 'own_key',
            'before_row': before_row,
            'after_row': "if(lower(maxwell.type) = 'delete', null, maxwell.data)",
            'image': "if(lacks_columns and lower(maxwell.type) in ('insert', 'update'), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': ddl_text,
        },
    }) }}
{% endmacro %}

{#
  Prints a condition: the message contains only a row and its type, as Flink and SeaTunnel write it.

  Later versions of SeaTunnel may leave only one of the names out, and also write an update.
#}
{% macro _maxwell_bare_row_condition(message) -%}
    coalesce(
        coalesce({{ message }}.database, {{ message }}.`table`, {{ message }}.ts) is null
        and {{ message }}.type in ('insert', 'delete', 'INSERT', 'DELETE')
        or ({{ message }}.database is null or {{ message }}.`table` is null)
        and {{ message }}.type in ('insert', 'update', 'delete') and {{ kafka_cdc.seatunnel_members_condition() }},
        false
    )
{%- endmacro %}

{#
  Prints an expression: the key columns in the Kafka key, in either of its forms, written as in the
  row, empty or null for none.
#}
{% macro _maxwell_key_names() -%}
    {#- With output_naming_strategy the row has userId, and the key still user_id. -#}
    {%- set camel_names -%}
    filter(map_keys(maxwell.data), name -> name <> lower(name) and lower(name) = replace(lower_name, '_', ''))
    {%- endset -%}
    {%- set listed = "from_json(get(from_json(kafka_key, 'array<string>'), 2), 'array<map<string, string>>')" -%}
    transform(
        if(
            kafka_key like '[%',
            flatten(transform({{ listed }}, part -> map_keys(part))),
            transform(
                filter(map_keys(from_json(kafka_key, 'map<string, string>')), member -> member like 'pk.%'),
                member -> substring(member, 4)
            )
        ),
        lower_name -> coalesce(
            get(filter(map_keys(maxwell.data), name -> lower(name) = lower_name), 0),
            {{ kafka_cdc.sql_let({'camel_names': camel_names}, 'if(size(camel_names) = 1, camel_names[0], null)') }},
            lower_name
        )
    )
{%- endmacro %}

{#
  Prints an expression: [file, position, number of the row in its transaction], null for a message
  without a position.
#}
{% macro _maxwell_sequence() -%}
    {%- set pattern = "r'\\.([0-9]+):([0-9]+)(?:\\[|$)'" -%}
    {%- set file = 'regexp_extract(maxwell.position, ' ~ pattern ~ ', 1)' -%}
    {%- set position = 'regexp_extract(maxwell.position, ' ~ pattern ~ ', 2)' -%}
    {%- set row_number -%}
    coalesce(maxwell.xoffset, if(maxwell.commit = 'true', '9223372036854775807', '0'))
    {%- endset -%}
    {{ kafka_cdc.sequence_array([file, position, row_number], position='maxwell.position') }}
{%- endmacro %}
