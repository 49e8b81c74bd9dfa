{#
  OceanBase Migration Service (OMS), serialization Canal.

  Alibaba's data transmission for ApsaraDB for OceanBase writes the same messages. The format
  covers inserts, updates, deletes and the full copy (ROW).
  Document: OMS, "Data formats", Canal JSON message format; Alibaba Cloud, "Sync data from an
  OceanBase database to Kafka" (LOB columns).

    {"database": "database", "sqlType": {"col1": 4, "col2": 12},
     "data": [{"col1": 3, "col2": "hello world 2020"}], "pkNames": ["col1"],
     "old": [{"col2": "hello world"}], "mysqlType": {"col1": "int", "col2": "varchar"},
     "type": "UPDATE", "table": "table", "es": 1609344671000, "isDdl": false,
     "ts": 1618364572908, "sql": ""}

  Quirks
  * A message has no `id`. By this `auto` distinguishes it from Canal's own messages, and by `isDdl`
    from those of other writers. Without `isDdl` it is in quarantine until the topic is mapped.
  * The Kafka offset is the only order.
  * Numbers are JSON numbers with the database's digits: 1.10, 10223372036854775806, up to 771
    digits.
  * Bytes are base64, and timestamps are epoch seconds.
  * `old` is present only in an UPDATE and contains only what changed.
  * The row of a DELETE is in `data`.
  * A large value (all TEXT types, JSON, GIS, XML, UDT) that an update did not change is null, before
    and after it. Such a column that is null in both images is therefore missing, and the image is
    partial. So is one that is null in a deleted row.
  * ROW is a row of the full copy. It has no time of its own, and its `es` may be missing.
  * There is no DDL: `sql` is empty.
  * The database's name comes without its tenant.
  * `mysqlType` also contains OMS's own type names, such as int64 for a bigint.

  Limits
  * An update that sets a large value to NULL may look like one that did not change it. The old value
    then stays.
  * A second full copy (ROW) has no position. It sorts before all changes and repairs nothing until
    an entry of `sequence_resets` names its first message.
#}
{% macro format_oceanbase_oms_canal() %}
    {%- set message = 'oceanbase_oms_canal' -%}

    {#- Without isDdl and types: only an update that Canal means differently, with a null and a part as `old`. -#}
    {%- set options = kafka_cdc.get_json_options() -%}
    {%- set first_row = "from_json(signature.%s, 'array<map<string, string>>', " ~ options ~ ')[0]' -%}
    {%- set recognized -%}
    signature.type in ('INSERT', 'UPDATE', 'DELETE', 'ROW') and startswith(signature.data, '[')
    and coalesce(signature.id, signature.gtid, signature.opType) is null
    and (
        coalesce(signature.isDdl, signature.mysqlType) is not null
        or signature.type = 'UPDATE'
        and size({{ first_row % '`old`' }}) < size({{ first_row % 'data' }})
        and exists(map_values({{ first_row % 'data' }}), text -> text is null)
    )
    and not coalesce(signature.mysqlType rlike r'":"[^"]*[(][0-9]', false)
    and not map_contains_key(from_json(value, 'map<string, string>', {{ options }}), 'id')
    {%- endset -%}

    {%- set different_counts -%}
    {{ message }}.type = 'UPDATE'
    and coalesce(size({{ message }}.`old`), -1) <> size({{ message }}.data)
    and size({{ message }}.data) > 0
    {%- endset -%}

    {%- set key_columns, types = message ~ '.pkNames', message ~ '.mysqlType' -%}
    {%- set known = kafka_cdc.oceanbase_oms_known_columns('row.after_row', key_columns, types, 'row.before_row') -%}

    {{ return({
        'fields': 'database string, `table` string, pkNames array<string>, isDdl string, type string, es string, '
            ~ 'ts string, mysqlType map<string, string>, '
            ~ 'data array<map<string, string>>, `old` array<map<string, string>>',
        'informational': ['mysqlType map<string, string>'],
        'recognized_by': {
            'signature': dict.fromkeys(
                ['type', 'isDdl', 'id', 'gtid', 'opType', 'mysqlType', 'data', 'old'], 'string'
            ),
            'condition': recognized,
        },
        'required': {
            'type': message ~ '.type',
            'isDdl': 'if(' ~ message ~ '.isDdl is null or ' ~ message ~ ".isDdl in ('true', 'false'), true, null)",
            'database': message ~ '.database',
            'table': message ~ '.`table`',
        },
        'rejects': [
            {
                'condition': message ~ ".isDdl = 'true' and "
                    ~ message ~ ".type in ('INSERT', 'UPDATE', 'DELETE', 'ROW')",
                'detail': 'isDdl does not match type.',
            },
            {
                'condition': different_counts,
                'detail': 'data and old have different numbers of rows.',
            },
        ],
        'rows': kafka_cdc.zip_rows(message ~ '.`old`', message ~ '.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': message ~ '.database',
            'source_schema': 'null',
            'source_table': message ~ '.`table`',
            'operation': kafka_cdc.map_operation(message ~ '.type', {
                'INSERT': 'insert',
                'UPDATE': 'update',
                'DELETE': 'delete',
                'ROW': 'snapshot',
            }),
            'operation_code': message ~ '.type',
            'occurred_at': kafka_cdc.epoch_timestamp(message ~ '.es'),
            'emitted_at': kafka_cdc.epoch_timestamp(message ~ '.ts'),
            'source_sequence': 'null',
            'key_columns': key_columns,
            'before_row': kafka_cdc.oceanbase_oms_known_columns(
                kafka_cdc.canal_before_row(message ~ '.type'), key_columns, types
            ),
            'after_row': 'case ' ~ message ~ ".type when 'DELETE' then null "
                ~ "when 'UPDATE' then " ~ known ~ ' else row.after_row end',
            'image': 'if(' ~ message ~ ".type = 'UPDATE' and exists(" ~ message ~ '.data, changed -> size('
                ~ kafka_cdc.oceanbase_oms_known_columns('changed', key_columns, types)
                ~ ") < size(changed)), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': types,
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}
