{#
  Alibaba Cloud DataWorks, synchronization of a whole database to Kafka.

  The format covers inserts, updates, deletes, the full copy, TRUNCATE and other DDL, transactions
  and heartbeats.
  Document: DataWorks, "Appendix: message formats", format version 0.0.1 (its template has 1.0.0).

    {"schema": {"dataColumn": [{"name": "id", "type": "LONG"}], "primaryKey": ["id"],
                "source": {"dbType": "MySQL", "dbName": "shop", "tableName": "orders"}},
     "payload": {"before": null, "after": {"dataColumn": {"id": 15}},
                 "sequenceId": "1620457642589000001", "op": "INSERT",
                 "timestamp": {"eventTime": 1620457896000, "systemTime": 1620457896977},
                 "ddl": null}, "version": "0.0.1"}

  Quirks
  * An update is one UPDATE_AFTER with both images, or two messages with the same `sequenceId`.
  * The document writes UPDATE_BEFOR, others write UPDATE_BEFORE. Both are read.
  * Rows of the full copy are INSERT with `sequenceId` "-1" and `eventTime` -1. They sort before
    all changes of the task.
  * `sequenceId` orders changes. It is the start of the task (13 digits, milliseconds) and a
    counter.
  * A MySQL table without a key has the hidden column `#alibaba_rds_row_id#`. It is the key, and it
    is no column of the row.
  * Dates are epoch milliseconds, and bytes are base64.
  * `ddl.ddlMeta` is a serialized Java object and is never read.

  Limits
  * DataWorks may map decimals to DOUBLE. A number of more than 17 digits is then listed in
    `undecoded` of a typed table.
  * The synchronization of a single table writes Canal CDC or JSON. Their description was not
    reached. Neither is this format, and neither is tested.
  * A second full copy has no position (sequenceId -1). It sorts before all changes and repairs
    nothing until an entry of `sequence_resets` names its first message.
#}
{% macro format_alibaba_dataworks() %}
    {%- set row_id = '#alibaba_rds_row_id#' -%}
    {%- set payload = 'alibaba_dataworks.payload' -%}
    {%- set schema = 'alibaba_dataworks.schema' -%}
    {%- set source = schema ~ '.source' -%}
    {%- set image = 'struct<dataColumn map<string, string>>' -%}

    {%- set is_row -%}
    {{ payload }}.op in ('INSERT', 'UPDATE_BEFOR', 'UPDATE_BEFORE', 'UPDATE_AFTER', 'DELETE')
    {%- endset -%}

    {%- set recognized -%}
    signature.payload.op is not null and signature.payload.source is null
    and (
        signature.schema.dataColumn is not null
        or signature.payload.op in ('MHEARTBEAT', 'UPDATE_BEFOR', 'UPDATE_BEFORE')
        or signature.version <> '2.0'
    )
    {%- endset -%}

    {%- set operation -%}
    if(
        {{ payload }}.op = 'INSERT'
        and ({{ payload }}.sequenceId = '-1' or {{ payload }}.timestamp.eventTime like '-%'),
        'snapshot',
        {{ kafka_cdc.map_operation(payload ~ '.op', {
            'INSERT': 'insert',
            'UPDATE_BEFOR': 'update_before',
            'UPDATE_BEFORE': 'update_before',
            'UPDATE_AFTER': 'update',
            'DELETE': 'delete',
            'TRUNCATE': 'truncate',
            'CREATE': 'create',
            'ALTER': 'alter',
            'ERASE': 'drop',
            'RENAME': 'rename',
            'CINDEX': 'index',
            'DINDEX': 'index',
            'QUERY': 'ddl',
            'TRANSACTION_BEGIN': 'transaction',
            'TRANSACTION_END': 'transaction',
            'GTID': 'transaction',
            'XACOMMIT': 'transaction',
            'XAROLLBACK': 'transaction',
            'MHEARTBEAT': 'heartbeat',
        }) }}
    )
    {%- endset -%}

    {%- set occurred_at -%}
    if(
        {{ payload }}.timestamp.eventTime like '-%',
        null,
        {{ kafka_cdc.epoch_timestamp(payload ~ '.timestamp.eventTime') | indent(8) }}
    )
    {%- endset -%}

    {%- set task_start = 'substring(' ~ payload ~ '.sequenceId, 1, 13)' -%}
    {%- set counter = 'substring(' ~ payload ~ '.sequenceId, 14)' -%}
    {%- set source_sequence -%}
    case
        when {{ payload }}.sequenceId <> '-1'
            then {{ kafka_cdc.sequence_array([task_start, counter], position=payload ~ '.sequenceId') }}
    end
    {%- endset -%}

    {%- set key_columns -%}
    case
        when size({{ schema }}.primaryKey) > 0 then {{ schema }}.primaryKey
        when exists({{ schema }}.dataColumn, c -> c.name = '{{ row_id }}') then array('{{ row_id }}')
    end
    {%- endset -%}

    {{ return({
        'fields': 'schema struct<dataColumn array<struct<name string, type string>>, primaryKey array<string>, '
            ~ 'source struct<dbType string, dbName string, schemaName string, tableName string>>, '
            ~ 'payload struct<before ' ~ image ~ ', after ' ~ image ~ ', sequenceId string, op string, '
            ~ 'timestamp struct<eventTime string, systemTime string>, ddl struct<text string>>',
        'informational': ['timestamp struct<eventTime string, systemTime string>'],
        'recognized_by': {
            'signature': {
                'schema': {'dataColumn': 'array<struct<name: string>>'},
                'payload': {'op': 'string', 'source': 'struct<connector: string>'},
                'version': 'string',
            },
            'condition': recognized,
        },
        'required': {
            'payload.op': payload ~ '.op',
            'schema.source.tableName': 'if(' ~ is_row ~ ', ' ~ source ~ ".tableName, '')",
        },
        'hidden_columns': "array('" ~ row_id ~ "')",
        'columns': {
            'source_name': 'null',
            'source_database_type': source ~ '.dbType',
            'source_tenant': 'null',
            'source_database': source ~ '.dbName',
            'source_schema': source ~ '.schemaName',
            'source_table': source ~ '.tableName',
            'operation': operation,
            'operation_code': payload ~ '.op',
            'occurred_at': occurred_at,
            'emitted_at': kafka_cdc.epoch_timestamp(payload ~ '.timestamp.systemTime'),
            'source_sequence': source_sequence,
            'key_columns': key_columns,
            'before_row': payload ~ '.before.dataColumn',
            'after_row': payload ~ '.after.dataColumn',
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays(schema ~ '.dataColumn.name', schema ~ '.dataColumn.type'),
            'ddl_text': payload ~ '.ddl.text',
        },
    }) }}
{% endmacro %}
