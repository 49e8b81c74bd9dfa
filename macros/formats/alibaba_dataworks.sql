{#
  Alibaba Cloud DataWorks, whole-database synchronisation to Kafka.
  Document: DataWorks, "Appendix: message formats", format version 0.0.1 (its template says 1.0.0).

    {"schema": {"dataColumn": [{"name": "id", "type": "LONG"}], "primaryKey": ["id"],
                "source": {"dbType": "MySQL", "dbName": "shop", "tableName": "orders"}},
     "payload": {"before": null, "after": {"dataColumn": {"id": 15}}, "sequenceId": "1620457642589000001", "op": "INSERT",
                 "timestamp": {"eventTime": 1620457896000, "systemTime": 1620457896977}, "ddl": null}, "version": "0.0.1"}

  Quirks
  * An update is one UPDATE_AFTER with both images, or two messages that share their sequenceId; UPDATE_BEFOR is spelt so in
    the document, UPDATE_BEFORE by others.
  * Rows of the full copy are INSERT with sequenceId "-1" and eventTime -1; they come before all changes of the task.
  * sequenceId is the task's start (13 digits, ms) and a counter.
  * A MySQL table without a key carries the hidden column #alibaba_rds_row_id#: it is the key, and no column of the row.
  * Dates are epoch ms, bytes base64. ddl.ddlMeta is a serialized Java object and is never read.
#}
{% macro format_alibaba_dataworks() %}
    {%- set row_id = '#alibaba_rds_row_id#' -%}
    {%- set payload = 'alibaba_dataworks.payload' -%}
    {%- set source = 'alibaba_dataworks.schema.source' -%}
    {%- set is_row = payload ~ ".op in ('INSERT', 'UPDATE_BEFOR', 'UPDATE_BEFORE', 'UPDATE_AFTER', 'DELETE')" -%}
    {%- set image = 'struct<dataColumn map<string, string>>' -%}
    {{ return({
        'fields': 'schema struct<dataColumn array<struct<name string, type string>>, primaryKey array<string>, '
            ~ 'source struct<dbType string, dbName string, schemaName string, tableName string>>, '
            ~ 'payload struct<before ' ~ image ~ ', after ' ~ image ~ ', sequenceId string, op string, '
            ~ 'timestamp struct<eventTime string, systemTime string>, ddl struct<text string>>',
        'recognized_by': {
            'signature': {
                'schema': {'dataColumn': 'array<struct<name: string>>'},
                'payload': {'op': 'string', 'source': 'struct<connector: string>'},
                'version': 'string',
            },
            'condition': "signature.payload.op is not null and signature.payload.source is null and (signature.schema.dataColumn is not null "
                ~ "or signature.payload.op in ('MHEARTBEAT', 'UPDATE_BEFOR', 'UPDATE_BEFORE') or signature.version <> '2.0')",
        },
        'required': {
            'payload.op': payload ~ '.op',
            'payload.timestamp.eventTime': 'try_cast(' ~ payload ~ '.timestamp.eventTime as bigint)',
            'payload.sequenceId': 'if(' ~ is_row ~ ', ' ~ payload ~ ".sequenceId, '')",
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
            'operation': 'if(' ~ payload ~ ".op = 'INSERT' and (" ~ payload ~ ".sequenceId = '-1' or " ~ payload
                ~ ".timestamp.eventTime like '-%'), 'snapshot', " ~ kafka_cdc.map_operation(payload ~ '.op', {
                    'INSERT': 'insert', 'UPDATE_BEFOR': 'update_before', 'UPDATE_BEFORE': 'update_before', 'UPDATE_AFTER': 'update',
                    'DELETE': 'delete', 'TRUNCATE': 'truncate', 'CREATE': 'create', 'ALTER': 'alter', 'ERASE': 'drop',
                    'RENAME': 'rename', 'CINDEX': 'index', 'DINDEX': 'index', 'QUERY': 'ddl', 'TRANSACTION_BEGIN': 'transaction',
                    'TRANSACTION_END': 'transaction', 'GTID': 'transaction', 'XACOMMIT': 'transaction',
                    'XAROLLBACK': 'transaction', 'MHEARTBEAT': 'heartbeat',
                }) ~ ')',
            'operation_code': payload ~ '.op',
            'occurred_at': 'if(' ~ payload ~ ".timestamp.eventTime like '-%', null, " ~ kafka_cdc.epoch_timestamp(payload ~ '.timestamp.eventTime') ~ ')',
            'emitted_at': kafka_cdc.epoch_timestamp(payload ~ '.timestamp.systemTime'),
            'source_sequence': "case when " ~ payload ~ ".sequenceId <> '-1' then "
                ~ kafka_cdc.sequence_array(['substring(' ~ payload ~ '.sequenceId, 1, 13)', 'substring(' ~ payload ~ '.sequenceId, 14)']) ~ ' end',
            'key_columns': 'case when size(alibaba_dataworks.schema.primaryKey) > 0 then alibaba_dataworks.schema.primaryKey when exists('
                ~ "alibaba_dataworks.schema.dataColumn, c -> c.name = '" ~ row_id ~ "') then array('" ~ row_id ~ "') end",
            'before_row': payload ~ '.before.dataColumn',
            'after_row': payload ~ '.after.dataColumn',
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays('alibaba_dataworks.schema.dataColumn.name', 'alibaba_dataworks.schema.dataColumn.type'),
            'ddl_text': payload ~ '.ddl.text',
        },
    }) }}
{% endmacro %}
