{#
  AWS Database Migration Service (DMS), JSON, targets Kafka and Kinesis.

  The messages of both targets are the same. The format covers the full load, inserts, updates,
  deletes and control records of DDL.
  Document: AWS DMS User Guide, "Using Apache Kafka as a target", message format and before image,
  3.4 to 3.6.

    {"data": {"id": 100000161, "fname": "val61s"}, "before-image": {"id": 100000161},
     "metadata": {"timestamp": "2019-10-31T22:53:59.721201Z", "record-type": "data",
                  "operation": "update", "partition-key-type": "primary-key",
                  "schema-name": "public", "table-name": "some_table",
                  "transaction-id": 9324410911751,
                  "commit-timestamp": "2019-10-31T22:53:55.000000Z"}}

  Quirks
  * The position in the source's log has another form for each kind of source and is not read. The
    offset orders changes, never a time.
  * `data` of a delete is the deleted row.
  * Columns that are NULL or empty are left out unless `IncludeNullAndEmpty` is set. They are then
    missing from the row.
  * `data` of an update is the row after it. The row before it is in `before-image`, or in columns
    of `data` that begin with `BI_` (`add-before-image-columns`).
  * The guide describes before images of updates only. One of a delete is read, too.
  * Oracle's before image contains only what changed. If it lacks a key column, the value in `data`
    is also the value before.
  * PostgreSQL's before image is empty if the key has not changed and the replica identity is the
    key. It is then none.
  * The names `before-image` and `BI_` can be configured. Only these two, the document's own, are
    read.
  * Control records are DDL without a statement. With `IncludeControlDetails` they contain the types
    of the columns. A NUMERIC with its precision and scale becomes NUMERIC(10,2).
  * `timestamp` is the time at which the message was written. `commit-timestamp` is the time at
    which the source committed.
  * A record without `record-type` is a data record if its operation is one of a row.
  * `auto` recognizes the format by `operation` and `table-name` of `metadata`.

  Limits
  * No message names its key: set `key`.
  * Without before images an update of the key cannot be recognized. The row under the old key
    stays. Turn on `add-before-image-columns` or `before-image`.
#}
{% macro format_aws_dms() %}
    {%- set metadata = 'aws_dms.metadata' -%}
    {%- set operation_code = metadata ~ '.operation' -%}
    {%- set before = 'aws_dms.`before-image`' -%}

    {#- The columns BI_x that stand for the value of a column x before the update. -#}
    {%- set prefixed_names -%}
    if(
        {{ before }} is not null,
        array(),
        filter(map_keys(data), name -> startswith(name, 'BI_') and map_contains_key(data, substring(name, 4)))
    )
    {%- endset -%}

    {%- set before_columns -%}
    if(
        size(prefixed_names) > 0,
        transform_keys(
            map_filter(data, (name, text) -> array_contains(prefixed_names, name)),
            (name, text) -> substring(name, 4)
        ),
        {{ before }}
    )
    {%- endset -%}

    {%- set row_columns -%}
    if(
        size(prefixed_names) > 0,
        map_filter(data, (name, text) -> not array_contains(prefixed_names, name)),
        data
    )
    {%- endset -%}

    {%- set ddl_targets -%}
    array(concat_ws(
        '.',
        '"' || nullif(replace({{ metadata }}.`schema-name`, '"', '""'), '') || '"',
        '"' || replace({{ metadata }}.`table-name`, '"', '""') || '"'
    ))
    {%- endset -%}

    {%- set operation -%}
    case coalesce({{ metadata }}.`record-type`, 'data')
        when 'data' then {{ kafka_cdc.map_operation(operation_code, {
            'load': 'snapshot',
            'insert': 'insert',
            'update': 'update',
            'delete': 'delete',
        }) }}
        when 'control' then {{ kafka_cdc.map_operation(operation_code, {
            'create-table': 'create',
            'rename-table': 'rename',
            'drop-table': 'drop',
            'change-columns': 'alter',
            'add-column': 'alter',
            'drop-column': 'alter',
            'rename-column': 'alter',
            'column-type-change': 'alter',
        }) }}
    end
    {%- endset -%}

    {%- set before_row -%}
    case {{ operation_code }}
        when 'update' then case
            when size(before_columns) > 0 and size(key_values) > 0
                then {{ kafka_cdc.merge_rows('key_values', 'before_columns') | indent(16) }}
            when size(before_columns) > 0 then before_columns
        end
        when 'delete' then if(
            size(before_columns) > 0,
            {{ kafka_cdc.merge_rows('row_columns', 'before_columns') | indent(12) }},
            row_columns
        )
    end
    {%- endset -%}

    {%- set control = 'control struct<`table-def` struct<columns string>>' -%}
    {%- set definition_type = 'map<string, struct<type: string, precision: string, scale: string>>' -%}
    {%- set definitions = "from_json(aws_dms.control.`table-def`.columns, '" ~ definition_type ~ "')" -%}
    {%- set column_type -%}
    concat(
        definition.type,
        if(
            definition.type = 'NUMERIC' and definition.precision rlike r'^[1-9][0-9]{0,2}\z',
            concat(
                '(',
                definition.precision,
                ',',
                if(definition.scale rlike r'^-?[0-9]{1,3}\z', definition.scale, '0'),
                ')'
            ),
            ''
        )
    )
    {%- endset -%}

    {{ return({
        'fields': 'data map<string, string>, `before-image` map<string, string>, '
            ~ control ~ ', '
            ~ 'metadata struct<timestamp string, `record-type` string, operation string, `schema-name` string, '
            ~ '`table-name` string, `commit-timestamp` string>',
        'informational': [control],
        'variables': {
            'data': kafka_cdc.dedupe_map_keys('aws_dms.data'),
            'prefixed_names': prefixed_names,
            'before_columns': before_columns,
            'row_columns': row_columns,
            'key_values': 'map_filter(row_columns, (name, text) -> array_contains(settings.key, name))',
        },
        'recognized_by': {
            'signature': {'metadata': {'record-type': 'string', 'operation': 'string', 'table-name': 'string'}},
            'condition': 'coalesce(signature.metadata.`record-type`, signature.metadata.`table-name`) is not null '
                ~ 'and signature.metadata.operation is not null',
        },
        'required': {
            'metadata.operation': operation_code,
            'metadata.schema-name': metadata ~ '.`schema-name`',
            'metadata.table-name': 'nullif(' ~ metadata ~ ".`table-name`, '')",
        },
        'rejects': [
            {
                'condition': operation_code ~ " not in ('update', 'delete') and size(" ~ before ~ ') > 0',
                'detail': 'an operation other than update or delete has a before-image.',
            },
        ],
        'ddl_targets': ddl_targets,
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'null',
            'source_schema': metadata ~ '.`schema-name`',
            'source_table': metadata ~ '.`table-name`',
            'operation': operation,
            'operation_code': operation_code,
            'occurred_at': kafka_cdc.zoned_timestamp(metadata ~ '.`commit-timestamp`', 'null'),
            'emitted_at': kafka_cdc.zoned_timestamp(metadata ~ '.timestamp', 'null'),
            'source_sequence': 'null',
            'key_columns': 'null',
            'before_row': before_row,
            'after_row': 'if(' ~ operation_code ~ " in ('load', 'insert', 'update'), row_columns, null)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'transform_values(' ~ definitions ~ ', (name, definition) -> ' ~ column_type ~ ')',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
