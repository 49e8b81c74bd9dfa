{#
  TiCDC, the change feed of TiDB, protocol simple, JSON.

  The format covers inserts, updates, deletes, TRUNCATE and other DDL, watermarks and the messages
  that describe tables (BOOTSTRAP).
  Document: TiDB v8.5, "TiCDC Simple Protocol". The encoding of values is not in it. It comes from
  TiCDC's encoder (pingcap/tiflow, pkg/sink/codec/simple/message.go).

    {"version": 1, "database": "simple", "table": "user", "tableID": 148, "type": "UPDATE",
     "commitTs": 447984099186180098, "buildTs": 1708923719184,
     "schemaVersion": 447984074911121426,
     "data": {"age": "25", "id": "1", "name": "John Doe", "score": "95"},
     "old": {"age": "25", "id": "1", "name": "John Doe", "score": "90.5"}}

  Quirks
  * `data` is the row after a change, `old` the whole row before it. A DELETE has `old` alone.
  * `commitTs` orders changes. That of a BOOTSTRAP is 0 and means nothing.
  * The time of the commit is the upper part of `commitTs`. `buildTs` is the time of the message.
  * WATERMARK and BOOTSTRAP are control events. BOOTSTRAP describes a table and changes nothing.
  * Types are in the messages of DDL (`tableSchema`).
  * A TIMESTAMP is an object with `value` and `location`, the time zone of the change feed. Typed
    values are instants. The zones SYSTEM and Local are not decoded, because they name no zone.
  * An ENUM or SET is the number of its labels, a BIT a decimal number, binary values are base64.
  * A row with `handleKeyOnly` or `claimCheckLocation` has only its handle key. Its other columns
    are unknown.
  * Delivery is at least once. A repeated `commitTs` is the same change again.
  * The changes of a transaction share `commitTs`. A transaction changes a row once, or it deletes and
    writes it. Deletes come first, and so do old keys.

  Limits
  * A row names no key, because the key is in the schema messages: set `key`.
  * Avro (`encoding-format = "avro"`) is not read.
#}
{% macro format_ticdc_simple() %}
    {%- set is_row = "ticdc_simple.type in ('INSERT', 'UPDATE', 'DELETE')" -%}
    {%- set has_only_key -%}
    coalesce(ticdc_simple.handleKeyOnly = 'true', false) or coalesce(ticdc_simple.claimCheckLocation, '') <> ''
    {%- endset -%}

    {%- set type_name -%}
    concat(
        definition.dataType.mysqlType,
        case
            when definition.dataType.mysqlType = 'decimal' and definition.dataType.`decimal` is not null
                then concat('(', definition.dataType.length, ',', definition.dataType.`decimal`, ')')
            when definition.dataType.mysqlType in ('enum', 'set')
                then coalesce(concat('(', array_join(transform(
                    definition.dataType.elements,
                    label -> concat("'", replace(label, "'", "''"), "'")
                ), ','), ')'), '')
            when definition.dataType.mysqlType in ('decimal', 'bit')
                then coalesce(concat('(', definition.dataType.length, ')'), '')
            else ''
        end,
        if(
            definition.dataType.unsigned = 'true' and definition.dataType.mysqlType not in ('bit', 'year'),
            ' unsigned',
            ''
        )
    )
    {%- endset -%}

    {%- set source_sequence -%}
    case
        when ticdc_simple.commitTs is not null and not ticdc_simple.type in ('WATERMARK', 'BOOTSTRAP')
            then {{ kafka_cdc.sequence_array(['ticdc_simple.commitTs']) }}
    end
    {%- endset -%}

    {%- set column = 'struct<name: string, dataType: struct<mysqlType: string, length: string, `decimal`: string, '
        ~ 'unsigned: string, elements: array<string>>>' -%}

    {{ return({
        'fields': 'database string, `table` string, type string, commitTs string, buildTs string, sql string, '
            ~ 'handleKeyOnly string, claimCheckLocation string, data map<string, string>, `old` map<string, string>, '
            ~ 'tableSchema struct<`schema`: string, `table`: string, columns: array<' ~ column ~ '>>, '
            ~ 'preTableSchema struct<`schema`: string, `table`: string>',
        'informational': ['columns: array<' ~ column ~ '>'],
        'variables': {
            'has_only_key': has_only_key,
            'columns': 'ticdc_simple.tableSchema.columns',
        },
        'recognized_by': {
            'signature': {'type': 'string', 'commitTs': 'string', 'buildTs': 'string'},
            'condition': 'signature.type is not null and signature.commitTs is not null '
                ~ 'and signature.buildTs is not null',
        },
        'deletes_first': 'true',
        'required': {
            'type': 'ticdc_simple.type',
            'database': 'if(' ~ is_row ~ ", ticdc_simple.database, '')",
            'table': 'if(' ~ is_row ~ ", ticdc_simple.`table`, '')",
        },
        'columns': {
            'source_name': 'null',
            'source_database_type': "'tidb'",
            'source_tenant': 'null',
            'source_database': 'coalesce(ticdc_simple.database, ticdc_simple.tableSchema.`schema`, '
                ~ 'ticdc_simple.preTableSchema.`schema`)',
            'source_schema': 'null',
            'source_table': 'coalesce(ticdc_simple.`table`, ticdc_simple.tableSchema.`table`, '
                ~ 'ticdc_simple.preTableSchema.`table`)',
            'operation': kafka_cdc.map_operation(
                'ticdc_simple.type',
                dict(kafka_cdc.get_canal_operations(), WATERMARK='heartbeat', BOOTSTRAP='other')
            ),
            'operation_code': 'ticdc_simple.type',
            'occurred_at': kafka_cdc.epoch_timestamp(
                'nullif(shiftright(try_cast(ticdc_simple.commitTs as bigint), 18), 0)'
            ),
            'emitted_at': kafka_cdc.epoch_timestamp('ticdc_simple.buildTs'),
            'source_sequence': source_sequence,
            'key_columns': 'null',
            'before_row': 'ticdc_simple.`old`',
            'after_row': "if(ticdc_simple.type = 'DELETE', null, ticdc_simple.data)",
            'image': "if(has_only_key, 'key', 'full')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays(
                'columns.name', 'transform(columns, definition -> ' ~ type_name ~ ')'
            ),
            'ddl_text': "nullif(ticdc_simple.sql, '')",
        },
    }) }}
{% endmacro %}
