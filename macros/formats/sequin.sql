{#
  Sequin, change data capture of PostgreSQL, JSON.

  The format covers inserts, updates, deletes and the rows of a backfill (`read`).
  Document: Sequin, "Messages" of its reference, 2025.

    {"record": {"id": 1234, "product": "Wireless Headphones", "price": 199.99, "status": "shipped"},
     "changes": {"status": "pending"}, "action": "update",
     "metadata": {"table_schema": "public", "table_name": "orders",
                  "commit_timestamp": "2024-10-28T21:39:21.127470Z", "commit_lsn": 123456790,
                  "commit_idx": 1, "database": {"name": "myapp-prod"}}}

  Quirks
  * `record` is the whole row. That of a delete is the deleted row.
  * `changes` contains the values before of the columns that an update changed.
  * `commit_lsn` and `commit_idx` order changes and the rows of a backfill.
  * `database_name` is deprecated. It counts if `database` is missing.

  Limits
  * No message names its key, and the Kafka key is configured in Sequin: set `key`.
  * A transform of Sequin may write any other shape. `auto` therefore does not recognize the format.
#}
{% macro format_sequin() %}
    {%- set metadata = 'sequin.metadata' -%}
    {%- set before_row -%}
    case sequin.action
        when 'update' then if(
            sequin.changes is null,
            null,
            {{ kafka_cdc.reconstruct_before_row('sequin.record', 'sequin.changes') | indent(12) }}
        )
        when 'delete' then sequin.record
    end
    {%- endset -%}

    {%- set source_sequence -%}
    if(
        {{ metadata }}.commit_lsn is null or {{ metadata }}.commit_idx is null,
        null,
        {{ kafka_cdc.sequence_array([metadata ~ '.commit_lsn', metadata ~ '.commit_idx']) }}
    )
    {%- endset -%}

    {{ return({
        'fields': 'record map<string, string>, changes map<string, string>, action string, '
            ~ 'metadata struct<table_schema: string, table_name: string, commit_timestamp: string, '
            ~ 'commit_lsn: string, commit_idx: string, database_name: string, database: struct<name: string>>',
        'recognized_by': {'signature': {}, 'condition': 'false'},
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
            'after_row': "if(sequin.action = 'delete', null, sequin.record)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
