{#
  CloudCanal, message format CloudCanal Json, its default for Kafka, RocketMQ and RabbitMQ.

  The format covers inserts, updates, deletes, TRUNCATE and other DDL, and the ends of transactions.
  Document: CloudCanal, "MQ message format" (kafka_msg_format_type), with one complete row message
  and one DDL message. `ddl` instead of `isDdl`: its article on schemas of several versions.

    {"action": "UPDATE", "bid": 0, "before": [{"id": "7", "name": "a"}],
     "data": [{"id": "7", "name": "b"}], "db": "shop", "schema": "shop", "table": "orders",
     "dbValType": {"id": "int", "name": "varchar(22)"}, "jdbcType": {"id": 4, "name": 12},
     "entryType": "ROWDATA", "isDdl": false, "pks": ["id"], "execTs": 1669789152000,
     "sendTs": 1669789153377, "sql": ""}

  Quirks
  * `data` contains the rows of an insert, update or delete. `before` contains the rows before an
    update. `data[n]` belongs to `before[n]`.
  * `bid` numbers batches of messages, and no document calls it an order. The Kafka offset orders
    changes.
  * `pks` may be empty, as in the document's examples. The key then comes from the settings.
  * The article writes `ddl` for `isDdl`. Both are read.
  * `isDdl` true is a statement. `sql` decides what it does.
  * For MySQL, `schema` repeats `db`. It is then no schema.
  * `entryType` TRANSACTIONEND is a control event.
  * `auto` recognizes the format by `action`, `bid` and `entryType` together.

  Limits
  * CloudCanal also writes Canal Json, Aliyun DTS Avro and Debezium Envelope, see `canal`,
    `alibaba_dts_avro` and `debezium`. No sample of them was available, and they are not tested.
  * No message names the kind of the source's database. Without `database_type` in `tables`, columns
    of typed tables are text.
  * Statements may go to a topic of their own. Rows and statements then have no common order.
#}
{% macro format_cloudcanal() %}
    {%- set is_row = "cloudcanal.action in ('INSERT', 'UPDATE', 'DELETE')" -%}
    {%- set is_transaction_end = "coalesce(cloudcanal.entryType = 'TRANSACTIONEND', false)" -%}

    {%- set operation -%}
    case
        when {{ is_transaction_end }} then 'transaction'
        when is_ddl = 'true' then 'ddl'
        else {{ kafka_cdc.map_operation('cloudcanal.action', {
            'INSERT': 'insert',
            'UPDATE': 'update',
            'DELETE': 'delete',
        }) }}
    end
    {%- endset -%}

    {%- set different_counts -%}
    cloudcanal.action = 'UPDATE'
    and coalesce(size(cloudcanal.before), -1) <> size(cloudcanal.data)
    and size(cloudcanal.data) > 0
    {%- endset -%}

    {{ return({
        'fields': 'action string, entryType string, db string, schema string, `table` string, pks array<string>, '
            ~ 'isDdl string, ddl string, execTs string, sendTs string, sql string, dbValType map<string, string>, '
            ~ 'before array<map<string, string>>, data array<map<string, string>>',
        'informational': ['dbValType map<string, string>'],
        'variables': {
            'is_ddl': 'coalesce(cloudcanal.isDdl, cloudcanal.ddl)',
        },
        'recognized_by': {
            'signature': {'action': 'string', 'bid': 'string', 'entryType': 'string'},
            'condition': 'signature.action is not null and signature.bid is not null '
                ~ 'and signature.entryType is not null',
        },
        'required': {
            'action': 'if(' ~ is_transaction_end ~ ", '', cloudcanal.action)",
            'isDdl': "if(is_ddl is null or is_ddl in ('true', 'false'), true, null)",
            'db': 'if(' ~ is_row ~ ", cloudcanal.db, '')",
            'table': 'if(' ~ is_row ~ ", cloudcanal.`table`, '')",
            'sql': "if(is_ddl = 'true', nullif(cloudcanal.sql, ''), '')",
        },
        'rejects': [
            {
                'condition': "is_ddl = 'true' and " ~ is_row,
                'detail': 'isDdl does not match action.',
            },
            {
                'condition': different_counts,
                'detail': 'data and before have different numbers of rows.',
            },
        ],
        'rows': kafka_cdc.zip_rows('cloudcanal.before', 'cloudcanal.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'cloudcanal.db',
            'source_schema': 'nullif(cloudcanal.schema, cloudcanal.db)',
            'source_table': 'cloudcanal.`table`',
            'operation': operation,
            'operation_code': 'coalesce(cloudcanal.action, cloudcanal.entryType)',
            'occurred_at': kafka_cdc.epoch_timestamp('cloudcanal.execTs'),
            'emitted_at': kafka_cdc.epoch_timestamp('cloudcanal.sendTs'),
            'source_sequence': 'null',
            'key_columns': 'cloudcanal.pks',
            'before_row': kafka_cdc.canal_before_row(
                'cloudcanal.action',
                deleted_row='coalesce(row.after_row, row.before_row)'
            ),
            'after_row': "if(cloudcanal.action = 'DELETE', null, row.after_row)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'cloudcanal.dbValType',
            'ddl_text': "nullif(cloudcanal.sql, '')",
        },
    }) }}
{% endmacro %}
