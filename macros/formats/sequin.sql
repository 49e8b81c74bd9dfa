{#
  Sequin, change data capture of PostgreSQL, JSON.

  The format covers inserts, updates, deletes and the rows of a backfill (`read`).
  Document: Sequin, "Messages" and "Databases" of its reference, 2025.

    {"record": {"id": 1234, "product": "Wireless Headphones", "price": 199.99, "status": "shipped"},
     "changes": {"status": "pending"}, "action": "update",
     "metadata": {"table_schema": "public", "table_name": "orders",
                  "commit_timestamp": "2024-10-28T21:39:21.127470Z", "commit_lsn": 123456790,
                  "commit_idx": 1, "database": {"name": "myapp-prod"}}}

  Quirks
  * `record` is the whole row. That of a delete is the deleted row.
  * `changes` contains the values before of the columns that an update changed. It is empty unless the
    table has REPLICA IDENTITY FULL. The before image is then unknown.
  * Without REPLICA IDENTITY FULL an update has the text `unchanged_toast` for a large value that it
    did not change. Such columns are missing, and the image is partial. A deleted row has null for
    columns outside the key. Set `replica_identity: full` for a topic of tables that have it.
  * `commit_lsn` and `commit_idx` order changes and the rows of a backfill.
  * Changes of different rows come in any order, because each row is delivered and retried on its
    own. A position that falls is therefore no finding.
  * `database_name` is deprecated. It counts if `database` is missing.

  Limits
  * No message names its key, and the Kafka key is configured in Sequin: set `key`.
  * Without REPLICA IDENTITY FULL an update of the key cannot be recognized. The row under the old key
    stays.
  * A rebuilt database may begin its LSN again, which is not noticed: set `sequence_resets`.
  * A transform of Sequin may write any other shape. `auto` recognizes `record` and `action` with
    `table_name` and `commit_lsn` in `metadata`. Map the topic of other messages.
#}
{% macro format_sequin() %}
    {%- set metadata = 'sequin.metadata' -%}
    {%- set before_row -%}
    case sequin.action
        when 'update' then if(
            has_old_values,
            {{ kafka_cdc.reconstruct_before_row('sequin.record', 'sequin.changes') | indent(12) }},
            null
        )
        when 'delete' then if(
            has_old_values,
            sequin.record,
            map_filter(sequin.record, (name, text) -> text is not null)
        )
    end
    {%- endset -%}
    {%- set after_row -%}
    case
        when sequin.action = 'delete' then null
        when lacks_values then map_filter(sequin.record, (name, text) -> not text <=> 'unchanged_toast')
        else sequin.record
    end
    {%- endset -%}

    {%- set source_sequence = kafka_cdc.sequence_array([metadata ~ '.commit_lsn', metadata ~ '.commit_idx']) -%}

    {{ return({
        'fields': 'record map<string, string>, changes map<string, string>, action string, '
            ~ 'metadata struct<table_schema: string, table_name: string, commit_timestamp: string, '
            ~ 'commit_lsn: string, commit_idx: string, database_name: string, database: struct<name: string>>',
        'variables': {
            'has_old_values': "coalesce(settings.replica_identity = 'full' or size(sequin.changes) > 0, false)",
            'lacks_values': "sequin.action = 'update' and not has_old_values "
                ~ "and coalesce(array_contains(map_values(sequin.record), 'unchanged_toast'), false)",
        },
        'recognized_by': {
            'signature': {
                'record': 'map<string, string>',
                'action': 'string',
                'metadata': {'table_name': 'string', 'commit_lsn': 'string'},
            },
            'condition': "signature.action in ('insert', 'update', 'delete', 'read') and signature.record is not null "
                ~ 'and signature.metadata.table_name is not null and signature.metadata.commit_lsn is not null',
        },
        'orders_rows_only': 'true',
        'required': {
            'action': 'sequin.action',
            'metadata.table_name': metadata ~ '.table_name',
        },
        'columns': {
            'source_name': 'null',
            'source_database_type': "'postgresql'",
            'source_tenant': 'null',
            'source_database': 'coalesce(' ~ metadata ~ '.database.name, ' ~ metadata ~ '.database_name)',
            'source_schema': metadata ~ '.table_schema',
            'source_table': metadata ~ '.table_name',
            'operation': kafka_cdc.map_operation('sequin.action', {
                'insert': 'insert',
                'update': 'update',
                'delete': 'delete',
                'read': 'snapshot',
            }),
            'operation_code': 'sequin.action',
            'occurred_at': kafka_cdc.zoned_timestamp(metadata ~ '.commit_timestamp', 'null'),
            'emitted_at': 'null',
            'source_sequence': source_sequence,
            'key_columns': 'null',
            'before_row': before_row,
            'after_row': after_row,
            'image': "if(lacks_values, 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
