{#
  Google Cloud Datastream, JSON events, of MySQL, Oracle, PostgreSQL and SQL Server.

  The format covers inserts, updates, deletes and the rows of a backfill.
  Document: Google Cloud Datastream, "Events and streams", 2025; the tests of Google's
  DataflowTemplates contain a complete event of Oracle. The events of the other databases come from
  users' output. The form of SQL Server's LSN is that of SqlServerChangeEventSequence in DataflowTemplates.

    {"uuid": "f23df35c", "read_timestamp": "2025-11-05T18:23:46.698000Z",
     "source_timestamp": "2025-11-05T18:23:31.393000Z", "object": "public_orders",
     "read_method": "postgresql-cdc", "stream_name": "projects/1/locations/us-east1/streams/shop",
     "schema_key": "69db90b9", "sort_keys": [1762367011393, "BD/A0007310"],
     "source_metadata": {"schema": "public", "table": "orders", "is_deleted": false,
                         "change_type": "UPDATE", "tx_id": 1186572, "lsn": "BD/A0007310",
                         "primary_keys": ["id"]},
     "payload": {"id": 7, "status": "paid"}}

  Quirks
  * `payload` is the whole row after the change, and the row before a deletion.
  * UPDATE-DELETE and UPDATE-INSERT are the row before and the row after an update. The document
    marks the first one with `is_deleted`. It becomes a delete.
  * `sort_keys` contains a time and the position in the database's log. Only the position orders
    changes: binlog file and position, LSN, or SCN, RS_ID and SSN. SQL Server's LSN has three
    hexadecimal numbers, as in 00000021:0000010f:0001. The time of MySQL's events is that
    of their statement, which may wait for a lock.
  * A change of MySQL without a binlog file is rejected as `invalid_sequence`. With replication by
    GTIDs, no document shows its `sort_keys`, and GTIDs do not order the rows of a transaction.
  * Rows of a backfill are a snapshot. Those of MySQL and SQL Server have no position. `change_type` may be missing.
  * Events come in any order. A position that falls is no finding.
  * An UPDATE-DELETE precedes the other changes of a row at one position, because one statement may
    move several keys.
  * The key is `primary_keys`, else `replication_index` (SQL Server), else that of the settings.
  * A row before a deletion in PostgreSQL has nulls in the columns outside its replica identity.
    Without `replica_identity: full` such nulls are no values.
  * The last part of `stream_name` is the source.
  * `auto` recognizes the format by `read_method` and `change_type`.

  Limits
  * Events of other databases are rejected as `unknown_connector`: their documents do not show the
    form of `sort_keys`. So are events whose `read_method` is cdc or backfill alone, as Datastream
    writes it for MongoDB and some MySQL streams: it names no database.
  * SQL Server: changes of a row with one LSN are ordered by the offset. No document shows whether
    a transaction with several changes has one LSN.
  * No message contains the types of columns. Set `column_types`.
  * An update of a key as a single UPDATE cannot be recognized. The row under the old key stays.
  * What an update of PostgreSQL contains for an unchanged TOAST column is not documented. The value
    is taken as it is.
  * DDL and TRUNCATE are not reported.
  * If the positions of a database begin again, for example after a restore, set `sequence_resets`.
    No check notices it.
  * Avro events are not read.
#}
{% macro format_google_datastream() %}
    {%- set metadata = 'google_datastream.source_metadata' -%}
    {%- set code = metadata ~ '.change_type' -%}
    {%- set is_backfill = "google_datastream.read_method like '%-backfill%'" -%}
    {%- set is_backfill_row = is_backfill ~ ' and coalesce(' ~ code ~ ", '') in ('', 'INSERT')" -%}
    {%- set is_deletion = code ~ " in ('DELETE', 'UPDATE-DELETE')" -%}

    {%- set rs_pattern = "r'^ *0x([0-9a-fA-F]{1,8})[.]([0-9a-fA-F]{1,8})[.]([0-9a-fA-F]{1,8}) *\\z'" -%}
    {%- set rs_number = "if(trim(sort_keys[2]) = '', '0', conv(regexp_extract(sort_keys[2], " ~ rs_pattern
        ~ ", PART), 16, 10))" -%}
    {%- set lsn_pattern = "r'^([0-9a-fA-F]{1,8})/([0-9a-fA-F]{1,8})\\z'" -%}
    {%- set lsn_number = "conv(nullif(regexp_extract(sort_keys[1], " ~ lsn_pattern ~ ", PART), ''), 16, 10)" -%}
    {%- set sqlserver_number = lsn_number.replace(
        lsn_pattern, "r'^([0-9a-fA-F]{8}):([0-9a-fA-F]{8}):([0-9a-fA-F]{4})\\z'"
    ) -%}
    {#- Events come in any order. So the offset orders no change that has no position. -#}
    {%- set no_position = 'if(' ~ is_backfill ~ ', null, array(null))' -%}
    {%- set source_sequence -%}
    case
        when google_datastream.sort_keys is null then null
        when sort_keys is null then array(null)
        when database_kind = 'mysql' and size(sort_keys) = 3
            then if(
                coalesce(sort_keys[1], '') = '' and coalesce(sort_keys[2], '0') = '0',
                {{ no_position }},
                {{ kafka_cdc.sequence_array(
                    ["regexp_extract(sort_keys[1], r'^[^:]*[.]([0-9]++)\\z', 1)", 'sort_keys[2]'],
                    position="concat_ws('', sort_keys[1], sort_keys[2])"
                ) }}
            )
        when database_kind = 'oracle' and size(sort_keys) = 4
            then {{ kafka_cdc.sequence_array(
                [
                    'sort_keys[1]',
                    rs_number.replace('PART', '1'),
                    rs_number.replace('PART', '2'),
                    rs_number.replace('PART', '3'),
                    'sort_keys[3]',
                ],
                position="concat_ws('', sort_keys[1], sort_keys[2], sort_keys[3])"
            ) }}
        when database_kind = 'postgres' and size(sort_keys) = 2
            then coalesce(
                {{ kafka_cdc.sequence_array(
                    [lsn_number.replace('PART', '1'), lsn_number.replace('PART', '2')],
                    position='sort_keys[1]'
                ) }},
                {{ no_position }}
            )
        when database_kind = 'sqlserver' and size(sort_keys) = 2
            then coalesce(
                {{ kafka_cdc.sequence_array(
                    [
                        sqlserver_number.replace('PART', '1'),
                        sqlserver_number.replace('PART', '2'),
                        sqlserver_number.replace('PART', '3'),
                    ],
                    position='sort_keys[1]'
                ) }},
                {{ no_position }}
            )
        else {{ no_position }}
    end
    {%- endset -%}

    {%- set deleted_row -%}
    if(
        database_kind = 'postgres' and coalesce(settings.replica_identity, 'default') <> 'full',
        map_filter(google_datastream.payload, (name, text) -> text is not null),
        google_datastream.payload
    )
    {%- endset -%}
    {%- set operation -%}
    if(
        {{ is_backfill_row }},
        'snapshot',
        {{ kafka_cdc.map_operation(code, {
            'INSERT': 'insert',
            'UPDATE': 'update',
            'UPDATE-INSERT': 'update',
            'UPDATE-DELETE': 'delete',
            'DELETE': 'delete',
        }) }}
    )
    {%- endset -%}

    {{ return({
        'fields': kafka_cdc.struct_fields({
            'read_method': 'string',
            'stream_name': 'string',
            'source_timestamp': 'string',
            'read_timestamp': 'string',
            'sort_keys': 'string',
            'source_metadata': {
                'database': 'string',
                'schema': 'string',
                'table': 'string',
                'change_type': 'string',
                'is_deleted': 'string',
                'primary_keys': 'array<string>',
                'replication_index': 'array<string>',
            },
            'payload': 'map<string, string>',
        }),
        'variables': {
            'database_kind': 'regexp_extract(google_datastream.read_method, '
                ~ "'^(mysql|oracle|postgres|sqlserver)(?:ql)?-', 1)",
            'sort_keys': 'from_json(google_datastream.sort_keys, ' ~ "'array<string>')",
        },
        'recognized_by': {
            'signature': {'read_method': 'string', 'source_metadata': {'change_type': 'string'}},
            'condition': 'signature.read_method is not null '
                ~ "and (signature.source_metadata.change_type is not null or signature.read_method like '%-backfill%')",
        },
        'unknown_connector': "if(database_kind = '', google_datastream.read_method, null)",
        'orders_rows_only': 'true',
        'deletes_first': "operation_code = 'UPDATE-DELETE'",
        'required': {
            'read_method': 'google_datastream.read_method',
            'change_type': 'if(' ~ is_backfill_row ~ ", '', " ~ code ~ ')',
            'source_metadata.table': metadata ~ '.`table`',
            'is_deleted': 'if(' ~ metadata ~ '.is_deleted is null or ' ~ metadata
                ~ ".is_deleted in ('true', 'false'), true, null)",
        },
        'rejects': [
            {
                'condition': is_backfill ~ ' and ' ~ code ~ " not in ('', 'INSERT')",
                'detail': 'a row of a backfill is no INSERT.',
            },
            {
                'condition': metadata ~ ".is_deleted = 'true' and not " ~ is_deletion ~ ' or '
                    ~ metadata ~ ".is_deleted = 'false' and " ~ code ~ " = 'DELETE'",
                'detail': 'is_deleted does not match change_type.',
            },
        ],
        'columns': {
            'source_name': "nullif(regexp_extract(google_datastream.stream_name, '([^/]+)$', 1), '')",
            'source_database_type': "if(database_kind = 'postgres', 'postgresql', nullif(database_kind, ''))",
            'source_tenant': 'null',
            'source_database': metadata ~ '.database',
            'source_schema': metadata ~ '.schema',
            'source_table': metadata ~ '.`table`',
            'operation': operation,
            'operation_code': code,
            'occurred_at': kafka_cdc._google_datastream_time('google_datastream.source_timestamp'),
            'emitted_at': kafka_cdc._google_datastream_time('google_datastream.read_timestamp'),
            'source_sequence': source_sequence,
            'key_columns': 'if(size(' ~ metadata ~ '.primary_keys) > 0, ' ~ metadata ~ '.primary_keys, '
                ~ metadata ~ '.replication_index)',
            'before_row': 'if(' ~ is_deletion ~ ', ' ~ deleted_row ~ ', null)',
            'after_row': 'if(' ~ is_deletion ~ ', null, google_datastream.payload)',
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{# Prints an expression: a time of an event, a text in UTC or milliseconds. #}
{% macro _google_datastream_time(text) -%}
    coalesce({{ kafka_cdc.zoned_timestamp(text, "'UTC'") }}, {{ kafka_cdc.epoch_timestamp(text, 'ms') }})
{%- endmacro %}
