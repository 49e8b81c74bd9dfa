{#
  AWS Database Migration Service (DMS), JSON, target Kafka (and Kinesis, whose messages are the same).
  Document: AWS DMS User Guide, "Using Apache Kafka as a target", message format and before image, 3.4 to 3.6.

    {"data": {"id": 100000161, "fname": "val61s"}, "before-image": {"id": 100000161},
     "metadata": {"timestamp": "2019-10-31T22:53:59.721201Z", "record-type": "data", "operation": "update",
                  "partition-key-type": "primary-key", "schema-name": "public", "table-name": "some_table",
                  "transaction-id": 9324410911751, "commit-timestamp": "2019-10-31T22:53:55.000000Z"}}

  Quirks
  * No message names its key: the settings do. The position in the source's log has another shape for each source and is
    not read: the offset orders, never a time.
  * data of a delete is the deleted row. Columns that are NULL or empty are left out unless IncludeNullAndEmpty is set: not said.
  * An update is the row after. What it was before stands in before-image, or in BI_ columns of data beside the columns themselves
    (add-before-image-columns); without either an update of the key cannot be seen, and its old row stays: turn it on.
  * Oracle's before-image says only what changed: of a key column that it leaves out, data has the value from before too.
  * The name of before-image and the prefix BI_ can be configured; only these, the document's own, are read.
  * Control records are DDL without a statement. timestamp is when the message was made, commit-timestamp when the source committed.
  * metadata.record-type tells it; nothing else has it.
#}
{% macro format_aws_dms() %}
    {%- set metadata = 'aws_dms.metadata' -%}
    {%- set operation = metadata ~ '.operation' -%}
    {%- set before = 'aws_dms.`before-image`' -%}
    {{ return({
        'fields': 'data map<string, string>, `before-image` map<string, string>, control struct<`table-def` struct<columns map<string, struct<type string>>>>, '
            ~ 'metadata struct<timestamp string, `record-type` string, operation string, `schema-name` string, `table-name` string, `commit-timestamp` string>',
        'variables': {
            'data': kafka_cdc.dedupe_map_keys('aws_dms.data'),
            'inner_names': 'if(' ~ before ~ " is not null, array(), filter(map_keys(data), name -> startswith(name, 'BI_') "
                ~ 'and map_contains_key(data, substring(name, 4))))',
            'said_before': 'if(size(inner_names) > 0, transform_keys(map_filter(data, (name, text) -> array_contains(inner_names, name)), '
                ~ '(name, text) -> substring(name, 4)), ' ~ before ~ ')',
            'said_row': 'if(size(inner_names) > 0, map_filter(data, (name, text) -> not array_contains(inner_names, name)), data)',
            'said_key': 'map_filter(said_row, (name, text) -> array_contains(settings.key, name))',
        },
        'recognized_by': {
            'signature': {'metadata': {'record-type': 'string', 'operation': 'string'}},
            'condition': 'signature.metadata.`record-type` is not null and signature.metadata.operation is not null',
        },
        'required': {
            'metadata.record-type': metadata ~ '.`record-type`',
            'metadata.operation': operation,
            'metadata.timestamp': kafka_cdc.zoned_timestamp(metadata ~ '.timestamp', 'null'),
            'metadata.schema-name': metadata ~ '.`schema-name`',
            'metadata.table-name': 'nullif(' ~ metadata ~ ".`table-name`, '')",
            'metadata.commit-timestamp': 'if(' ~ metadata ~ '.`commit-timestamp` is null or ' ~ kafka_cdc.timestamp_text_condition(metadata ~ '.`commit-timestamp`') ~ ', true, null)',
        },
        'rejects': [
            {'condition': operation ~ " <> 'update' and size(" ~ before ~ ') > 0', 'detail': 'an operation other than update has a before-image.'},
        ],
        'ddl_targets': "array(concat_ws('.', '\"' || nullif(" ~ metadata ~ ".`schema-name`, '') || '\"', '\"' || " ~ metadata ~ ".`table-name` || '\"'))",
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'null',
            'source_schema': metadata ~ '.`schema-name`',
            'source_table': metadata ~ '.`table-name`',
            'operation': 'case ' ~ metadata ~ ".`record-type` when 'data' then " ~ kafka_cdc.map_operation(operation, {
                    'load': 'snapshot', 'insert': 'insert', 'update': 'update', 'delete': 'delete'})
                ~ " when 'control' then " ~ kafka_cdc.map_operation(operation, {
                    'create-table': 'create', 'rename-table': 'rename', 'drop-table': 'drop', 'change-columns': 'alter', 'add-column': 'alter',
                    'drop-column': 'alter', 'rename-column': 'alter', 'column-type-change': 'alter'}) ~ ' end',
            'operation_code': operation,
            'occurred_at': kafka_cdc.zoned_timestamp(metadata ~ '.`commit-timestamp`', 'null'),
            'emitted_at': kafka_cdc.zoned_timestamp(metadata ~ '.timestamp', 'null'),
            'source_sequence': 'null',
            'key_columns': 'null',
            'before_row': 'case ' ~ operation ~ " when 'update' then if(size(said_before) > 0 and size(said_key) > 0, " ~ kafka_cdc.merge_rows('said_key', 'said_before')
                ~ ", said_before) when 'delete' then said_row end",
            'after_row': 'if(' ~ operation ~ " in ('load', 'insert', 'update'), said_row, null)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'transform_values(aws_dms.control.`table-def`.columns, (name, said) -> said.type)',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
