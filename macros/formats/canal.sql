{#
  Canal (Alibaba, open source), flat JSON messages of its server to Kafka: canal.mq.flatMessage.
  Document: Canal 1.1.x, FlatMessage and MQMessageUtils of its source, and its guide "Canal Kafka RocketMQ QuickStart".

    {"data": [{"id": "1004", "first_name": "Anne Marie"}], "database": "inventory", "es": 1589373560000, "gtid": "", "id": 9,
     "isDdl": false, "mysqlType": {"id": "int(11)", "first_name": "varchar(255)"}, "old": [{"first_name": "Anne"}],
     "pkNames": ["id"], "sql": "", "sqlType": {"id": 4, "first_name": 12}, "table": "customers", "ts": 1589373560798, "type": "UPDATE"}

  Quirks
  * `old` holds only what changed: null there means "was NULL", an absent column is as in `data`. One message may have many rows,
    data[n] with old[n]; from the second row on, `old` may also name columns that did not change.
  * `id` is a batch of messages, es whole seconds: neither is an order, the Kafka offset is. Rows are spread over partitions by
    their new key, DDL goes to the first partition.
  * It needs binlog_row_image FULL. With MINIMAL an update does not say its key: quarantine. An insert lacks columns left to their defaults.
  * Statements without rows (binlog_format other than ROW, annotations of rows) are isDdl false with `sql` and no `data`: other.
  * Flink and SeaTunnel write data and type alone: an update as DELETE and INSERT, typed values, the table unsaid (the topic's name).
  * Tapdata writes one row a message, `data` and `old` as objects, without `old` where it does not know the row before (`data` may then be
    partial), `dbType` and `schema` where the source is not MySQL; map its topics, as its id 0 is what others are recognized by.
  * ENUM and SET are numbers, bytes Latin-1 text, times the server's local text.
  * A message with `gtid` (servers since 1.1.7 write it) or one of Canal's words for DDL is Canal's. Any other cannot be told from
    huawei_drs_json, and `auto` reads it as that: map the topics of older servers.
#}
{% macro format_canal() %}
    {%- set statements = "('CREATE', 'ALTER', 'ERASE', 'TRUNCATE', 'RENAME', 'CINDEX', 'DINDEX')" -%}
    {%- set fields = 'database string, `schema` string, `table` string, pkNames array<string>, isDdl string, type string, es string, ts string, '
        ~ 'sql string, mysqlType map<string, string>, dbType map<string, string>, ' -%}
    {{ return({
        'fields': fields ~ 'data array<map<string, string>>, `old` array<map<string, string>>',
        'otherwise': {
            'fields': fields ~ 'data map<string, string>, `old` map<string, string>',
            'struct': 'struct(canal._sentinel, canal.database, canal.`schema`, canal.`table`, canal.pkNames, canal.isDdl, canal.type, canal.es, canal.ts, canal.sql, '
                ~ 'canal.mysqlType, canal.dbType, if(canal.data is null, null, array(canal.data)) as data, if(canal.data is null, null, array(canal.`old`)) as `old`)',
        },
        'recognized_by': {
            'signature': {'type': 'string', 'isDdl': 'string', 'id': 'string', 'gtid': 'string', 'data': 'string', 'es': 'string', 'ts': 'string', 'sql': 'string'},
            'condition': kafka_cdc._canal_is_bare('signature') ~ " and signature.data is not null or signature.type is not null and signature.isDdl is not null and signature.id is not null and (signature.gtid is not null "
                ~ "or signature.id <> '0' and (signature.type in " ~ statements ~ " or signature.type = 'QUERY'))",
        },
        'variables': {'is_bare': kafka_cdc._canal_is_bare('canal')},
        'required': {
            'type': 'canal.type',
            'isDdl': "if(is_bare or canal.isDdl in ('true', 'false'), true, null)",
            'database': "if(is_bare, '', coalesce(canal.database, canal.`schema`))",
            'table': "if(is_bare, '', canal.`table`)",
            'es': 'if(is_bare or ' ~ kafka_cdc.epoch_timestamp('canal.es') ~ ' is not null, true, null)',
        },
        'rejects': [
            {'condition': "canal.isDdl = 'true' and canal.type in ('INSERT', 'UPDATE', 'DELETE') or canal.isDdl = 'false' and canal.type in " ~ statements,
             'detail': 'isDdl says otherwise than type.'},
            {'condition': "canal.type = 'UPDATE' and coalesce(size(canal.`old`), -1) <> size(canal.data) and size(canal.data) > 0",
             'detail': 'data and old have different numbers of rows.'},
            {'condition': "canal.type = 'UPDATE' and canal.pkNames is null and exists(canal.`old`, changed -> size(changed) = 0)",
             'detail': 'an update says neither a key nor what a column was before: the server writes no full row images (binlog_row_image).'},
        ],
        'rows': kafka_cdc.zip_rows('canal.`old`', 'canal.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': "if(is_bare or canal.dbType is not null, null, 'mysql')",
            'source_tenant': 'null',
            'source_database': 'canal.database',
            'source_schema': 'canal.`schema`',
            'source_table': 'coalesce(canal.`table`, if(is_bare, kafka_topic, null))',
            'operation': "if(canal.isDdl = 'false' and (canal.type = 'QUERY' or canal.type in ('INSERT', 'UPDATE', 'DELETE') "
                ~ "and canal.sql <> '' and coalesce(size(canal.data), 0) < 1), 'other', "
                ~ kafka_cdc.map_operation('canal.type', dict(kafka_cdc.get_canal_operations(), GTID='transaction', XACOMMIT='transaction', XAROLLBACK='transaction',
                    MHEARTBEAT='heartbeat')) ~ ')',
            'operation_code': 'canal.type',
            'occurred_at': kafka_cdc.epoch_timestamp('canal.es'),
            'emitted_at': kafka_cdc.epoch_timestamp('canal.ts'),
            'source_sequence': 'null',
            'key_columns': 'canal.pkNames',
            'before_row': kafka_cdc.canal_before_row('canal.type'),
            'after_row': "if(canal.type = 'DELETE', null, row.after_row)",
            'image': "if(canal.type = 'UPDATE' and get(canal.`old`, 0) is null, 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'coalesce(canal.mysqlType, canal.dbType)',
            'ddl_text': "nullif(canal.sql, '')",
        },
    }) }}
{% endmacro %}

{# Prints a condition: a row as Flink and SeaTunnel write it. #}
{% macro _canal_is_bare(message) -%}
    coalesce(coalesce({{ message }}.isDdl, {{ message }}.es, {{ message }}.ts, {{ message }}.sql) is null and {{ message }}.type in ('INSERT', 'DELETE'), false)
{%- endmacro %}
