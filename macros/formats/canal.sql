{#
  Canal, Alibaba's open-source reader of the MySQL binlog, flat JSON messages.

  Its server writes them to Kafka (`canal.mq.flatMessage`). The format covers inserts, updates,
  deletes, the full copy (INIT), TRUNCATE and other DDL. It also covers the rows that Flink, Flink
  CDC, SeaTunnel and Tapdata write in this shape.
  Document: Canal 1.1.x, classes FlatMessage and MQMessageUtils of its source code, and its guide
  "Canal Kafka RocketMQ QuickStart"; Flink CDC, "Kafka pipeline connector"; Apache Flink and SeaTunnel,
  "Canal Format"; Tapdata, its Kafka target. Canal's own document has no INIT and no DDL, which related services write.

    {"data": [{"id": "1004", "first_name": "Anne Marie"}], "database": "inventory",
     "es": 1589373560000, "gtid": "", "id": 9, "isDdl": false,
     "mysqlType": {"id": "int(11)", "first_name": "varchar(255)"}, "old": [{"first_name": "Anne"}],
     "pkNames": ["id"], "sql": "", "sqlType": {"id": 4, "first_name": 12}, "table": "customers",
     "ts": 1589373560798, "type": "UPDATE"}

  Quirks
  * `old` contains only the columns that changed. A null there means that the column was NULL. A
    column that is absent there has the value of `data`.
  * A message may have many rows: `data[n]` belongs to `old[n]`. From the second row on, `old` may
    also contain columns that did not change.
  * `id` numbers batches of messages, and `es` has whole seconds. Neither orders changes. The Kafka offset does.
  * Rows are distributed over partitions by their new key. DDL goes to the first partition.
  * With `binlog_row_image=MINIMAL` an insert lacks the columns that were left to their defaults.
    `data` of an update contains only the columns that the statement sets, and `pkNames` only the key
    columns among them. With NOBLOB, `data` lacks TEXT and BLOB columns that did not change.
  * If `binlog_row_image` of the topic is `minimal` or `noblob`, images are partial, and only `old` and
    the key are known of the row before. With `minimal`, the setting `key` names the key of inserts
    and updates.
  * With `binlog_row_value_options=PARTIAL_JSON`, an update whose JSON column has a function call is rejected.
  * Statements without rows have `isDdl` false, `sql` and no `data`. They become control events.
    They occur if `binlog_format` is not ROW, or as annotations of rows.
  * Canal 1.1.5 may write DDL with `isDdl` false and no `data`. Other producers leave out `isDdl`. `type` decides.
  * Older servers, such as 1.1.4, write statements about databases as QUERY with `isDdl` false. The
    words of such a statement decide.
  * An UPDATE of columns that Canal's column filter leaves out has an empty object in `old`. Without
    `pkNames` it is read only if `data` has the key that `tables` or the topic names.
  * Flink and SeaTunnel write only `data` and `type`. An update is a DELETE and an INSERT, values
    are typed, and the table's name is the topic's. SeaTunnel may write `data` as an object.
  * Later versions of SeaTunnel also write `database`, `table` and `ts`, which may be null. With
    `merge_update_event` an update is one message, and `old` is the whole row before.
  * Flink CDC leaves out `isDdl`, `es`, `ts`, `id` and `mysqlType`. `old` is the whole row before. Its
    old versions write the row of a DELETE into `old`.
  * A DELETE of DRS that has a length in `mysqlType` is read as this format. Its row is in `old`.
  * Tapdata writes one row per message, with `data` and `old` as objects. `old` is missing if it does
    not know the row before, and `data` may then be partial.
  * ENUM and SET are numbers, bytes are Latin-1 text, times are text in the server's time zone.
  * `auto` recognizes a message by `gtid` (written since 1.1.7), or by a length in `mysqlType` such as
    varchar(255). Other signs are Canal's words for DDL, and a statement about rows in `sql`.
    The signs of other writers are `data` as an object, only the members of SeaTunnel, `pkNames`
    without `isDdl`, or `opType` next to `mysqlType`, as Apache InLong writes them.

  Limits
  * With `binlog_row_image=MINIMAL`, an update does not name its row and is rejected, unless the statement sets the key.
  * If the MySQL server has `binlog_row_image` MINIMAL or NOBLOB, set `binlog_row_image` for the
    topic. Otherwise an update removes the values of the columns that `data` lacks.
  * With NOBLOB, `pkNames` of an update may lack a TEXT or BLOB column of the key. Set `key` in
    `tables` for such a table.
  * Servers before 1.1.7 write no `gtid`. `auto` reads their rows of a table without any length in
    `mysqlType` as `huawei_drs_json`. Map the topic. Otherwise a TRUNCATE or DROP is read as another
    source than the rows, and the table is held (`statement_of_another_source`).
  * DTS of Volcengine and BytePlus writes `id` 0, and `auto` reads its DDL as `tencent_ckafka`. Map the topic.
  * A statement of the type DDL is read by the words of `sql`, if the topic is mapped. `auto` reads it
    as `huawei_drs_json`.
  * An update of the key that Tapdata writes without `old` cannot be recognized. The old row stays.
  * Canal 1.1.7 cannot read the statement of a MariaDB column with a character set of its own.
#}
{% macro format_canal() %}
    {%- set statements = "('CREATE', 'ALTER', 'ERASE', 'TRUNCATE', 'RENAME', 'CINDEX', 'DINDEX')" -%}
    {%- set fields = 'database string, `schema` string, `table` string, pkNames array<string>, isDdl string, '
        ~ 'type string, es string, ts string, sql string, mysqlType map<string, string>, '
        ~ 'dbType map<string, string>, ' -%}

    {#- Tapdata's objects, as arrays of one row. -#}
    {%- set tapdata_struct -%}
    struct(
        canal._sentinel, canal.database, canal.`schema`, canal.`table`, canal.pkNames, canal.isDdl, canal.type,
        canal.es, canal.ts, canal.sql, canal.mysqlType, canal.dbType,
        if(canal.data is null, null, array(canal.data)) as data,
        if(canal.data is null, null, array(canal.`old`)) as `old`
    )
    {%- endset -%}

    {#- After bare rows: Flink CDC and SeaTunnel; a length as in varchar(255), not written by DRS; Tapdata's object. -#}
    {%- set recognized -%}
    {{ kafka_cdc._canal_bare_row_condition('signature') }} and signature.data is not null
    and {{ kafka_cdc.bare_row_members_condition(['database', 'table', 'ts']) }}
    or signature.type in ('INSERT', 'UPDATE', 'DELETE') and signature.isDdl is null
    and signature.database is not null and signature.`table` is not null
    and (
        signature.pkNames is not null
        or startswith(signature.data, '[') and {{ kafka_cdc.bare_row_members_condition(['database', 'table', 'ts']) }}
    )
    or signature.type is not null and signature.isDdl is not null
    and (
        signature.gtid is not null
        or signature.mysqlType rlike r'":"[^"]*[(][0-9]'
        or signature.opType is not null and signature.mysqlType is not null
    )
    or signature.type is not null and signature.isDdl is not null and signature.id is not null
    and (
        startswith(signature.data, '{')
        or signature.id <> '0' and (signature.type in {{ statements }} or signature.type = 'QUERY')
        or signature.type in ('INSERT', 'UPDATE', 'DELETE') and signature.sql <> '' and signature.data is null
    )
    {%- endset -%}

    {#- With minimal row images pkNames names only the key columns that the statement sets. -#}
    {%- set key -%}
    if(settings.binlog_row_image <=> 'minimal' and canal.type in ('INSERT', 'UPDATE'), settings.key, canal.pkNames)
    {%- endset -%}

    {%- set known_before_row -%}
    {{ kafka_cdc.known_before_row('row.after_row', 'row.before_row', 'coalesce(own_key, settings.key)') }}
    {%- endset -%}
    {%- set before_row -%}
    if(
        lacks_columns and canal.type = 'UPDATE',
        {{ known_before_row | indent(8) }},
        {{ kafka_cdc.canal_before_row(
            'canal.type', deleted_row='coalesce(row.after_row, row.before_row)'
        ) | indent(8) }}
    )
    {%- endset -%}

    {#- A call such as JSON_REPLACE(doc, '$.a', 1), or the name of the column, is no JSON text. -#}
    {%- set has_partial_json -%}
    canal.type = 'UPDATE' and array_contains(map_values(canal.mysqlType), 'json')
    and exists(canal.data, changed -> exists(
        map_entries(changed),
        member -> canal.mysqlType[member.key] = 'json'
            and (
                member.value = member.key
                or member.value rlike '^JSON_(?:REPLACE|INSERT|ARRAY_INSERT|REMOVE)[(]'
            )
    ))
    {%- endset -%}

    {%- set image -%}
    case
        when lacks_columns and canal.type in ('INSERT', 'UPDATE') then 'partial'
        when canal.type = 'UPDATE' and get(canal.`old`, 0) is null then 'partial'
        else 'full'
    end
    {%- endset -%}

    {{ return({
        'fields': fields ~ 'data array<map<string, string>>, `old` array<map<string, string>>',
        'otherwise': {
            'fields': fields ~ 'data map<string, string>, `old` map<string, string>',
            'struct': tapdata_struct,
        },
        'informational': ['mysqlType map<string, string>', 'dbType map<string, string>'],
        'recognized_by': {
            'signature': {
                'type': 'string',
                'opType': 'string',
                'isDdl': 'string',
                'id': 'string',
                'gtid': 'string',
                'data': 'string',
                'es': 'string',
                'ts': 'string',
                'sql': 'string',
                'database': 'string',
                'table': 'string',
                'pkNames': 'string',
                'mysqlType': 'string',
            },
            'condition': recognized,
            'instead_of': ['huawei_drs_json'],
        },
        'variables': {
            'is_bare': kafka_cdc._canal_bare_row_condition('canal'),
            'lacks_columns': kafka_cdc.partial_binlog_rows_condition(),
            'own_key': key,
            'known_key': kafka_cdc.settings_key('canal.database', 'canal.`schema`', 'canal.`table`'),
        },
        'required': {
            'type': 'canal.type',
            'isDdl': "if(canal.isDdl is null or canal.isDdl in ('true', 'false'), true, null)",
            'database': "if(is_bare, '', coalesce(canal.database, canal.`schema`))",
            'table': "if(is_bare, '', canal.`table`)",
        },
        'rejects': [
            {
                'condition': "canal.isDdl = 'true' and canal.type in ('INSERT', 'UPDATE', 'DELETE', 'INIT') "
                    ~ "or canal.isDdl = 'false' and size(canal.data) > 0 and canal.type in " ~ statements,
                'detail': 'isDdl does not match type.',
            },
            {
                'condition': "canal.type = 'UPDATE' and coalesce(size(canal.`old`), -1) <> size(canal.data) "
                    ~ 'and size(canal.data) > 0',
                'detail': 'data and old have different numbers of rows.',
            },
            {
                'condition': "canal.type = 'UPDATE' and canal.pkNames is null "
                    ~ 'and exists(canal.`old`, changed -> size(changed) = 0) and (known_key is null or '
                    ~ 'exists(canal.data, row -> ' ~ kafka_cdc.incomplete_key_condition('row', 'known_key') ~ '))',
                'detail': 'an update contains neither a key nor a previous value. '
                    ~ 'Set binlog_row_image=FULL on the MySQL server.',
            },
            {
                'condition': has_partial_json,
                'detail': 'a JSON column contains a change and not its value. '
                    ~ 'Empty binlog_row_value_options on the MySQL server.',
            },
        ],
        'rows': kafka_cdc.zip_rows('canal.`old`', 'canal.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': "if(canal.dbType is null and (canal.isDdl is not null "
                ~ "or canal.mysqlType is not null), 'mysql', null)",
            'source_tenant': 'null',
            'source_database': 'canal.database',
            'source_schema': 'canal.`schema`',
            'source_table': 'coalesce(canal.`table`, if(is_bare, kafka_topic, null))',
            'operation': kafka_cdc.canal_operation(),
            'operation_code': 'canal.type',
            'occurred_at': kafka_cdc.epoch_timestamp('canal.es'),
            'emitted_at': kafka_cdc.epoch_timestamp('canal.ts'),
            'source_sequence': 'null',
            'key_columns': 'own_key',
            'before_row': before_row,
            'after_row': "if(canal.type = 'DELETE', null, row.after_row)",
            'image': image,
            'removed_columns': 'null',
            'column_types': 'coalesce(canal.mysqlType, canal.dbType)',
            'ddl_text': "nullif(canal.sql, '')",
        },
    }) }}
{% endmacro %}

{#
  Prints a condition: the message contains only a row and its type, as Flink and SeaTunnel write it.

  Later versions of SeaTunnel may leave only one of the names out, and also write an UPDATE.
#}
{% macro _canal_bare_row_condition(message) -%}
    coalesce(
        coalesce({{ message }}.isDdl, {{ message }}.es, {{ message }}.sql) is null
        and (
            {{ message }}.ts is null and {{ message }}.type in ('INSERT', 'DELETE')
            or ({{ message }}.database is null or {{ message }}.`table` is null)
            and {{ message }}.type in ('INSERT', 'UPDATE', 'DELETE') and {{ kafka_cdc.seatunnel_members_condition() }}
        ),
        false
    )
{%- endmacro %}
