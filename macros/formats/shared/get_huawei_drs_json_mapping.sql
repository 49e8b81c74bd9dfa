{#
  Returns the mapping of Huawei DRS JSON and JSON-C, which store a deleted row in different arrays.

  `id` orders changes only if a topic entry names the format. A message that `auto` recognized may be
  Canal's, whose `id` is the number of a batch and falls.

  Arguments:
    slug (string): the format.
    deleted_row (string): SQL of the row that a DELETE contains.
    recognized_by (dict[string, any]): the mapping's entry of that name.

  Returns: dict[string, any], see get_format.
#}
{% macro get_huawei_drs_json_mapping(slug, deleted_row, recognized_by) %}
    {%- set different_counts -%}
    {{ slug }}.type = 'UPDATE'
    and coalesce(size({{ slug }}.`old`), -1) <> coalesce(size({{ slug }}.data), -1)
    {%- endset -%}

    {{ return({
        'fields': 'mysqlType map<string, string>, id string, es string, ts string, database string, `table` string, '
            ~ 'type string, isDdl string, sql string, data array<map<string, string>>, '
            ~ '`old` array<map<string, string>>, pkNames array<string>',
        'informational': ['mysqlType map<string, string>'],
        'recognized_by': recognized_by,
        'unordered_lookalike': {'format': 'canal', 'name': 'Canal'},
        'required': {
            'type': slug ~ '.type',
            'isDdl': 'if(' ~ slug ~ '.isDdl is null or ' ~ slug ~ ".isDdl in ('true', 'false'), true, null)",
            'database': slug ~ '.database',
            'table': slug ~ '.`table`',
        },
        'rejects': [
            {
                'condition': slug ~ '.isDdl <> if(' ~ slug ~ ".type in ('DDL', 'INIT_DDL'), 'true', 'false')",
                'detail': 'isDdl does not match type.',
            },
            {
                'condition': different_counts,
                'detail': 'data and old have different numbers of rows.',
            },
            {
                'condition': kafka_cdc.partial_binlog_rows_condition()
                    ~ ' and ' ~ slug ~ ".type in ('INSERT', 'UPDATE')",
                'detail': 'DRS writes whole rows, and binlog_row_image of the topic is not full. '
                    ~ 'Set format: canal if the messages are those of Canal.',
            },
        ],
        'rows': kafka_cdc.zip_rows(slug ~ '.`old`', slug ~ '.data'),
        'columns': {
            'source_name': 'null',
            'source_database_type': "'mysql'",
            'source_tenant': 'null',
            'source_database': slug ~ '.database',
            'source_schema': 'null',
            'source_table': slug ~ '.`table`',
            'operation': kafka_cdc.map_operation(slug ~ '.type', {
                'INSERT': 'insert',
                'UPDATE': 'update',
                'DELETE': 'delete',
                'INIT': 'snapshot',
                'DDL': 'ddl',
                'INIT_DDL': 'ddl',
            }),
            'operation_code': slug ~ '.type',
            'occurred_at': kafka_cdc.epoch_timestamp(slug ~ '.es'),
            'emitted_at': kafka_cdc.epoch_timestamp(slug ~ '.ts'),
            'source_sequence': 'case when settings.format is not null then '
                ~ kafka_cdc.sequence_array([slug ~ '.id']) ~ ' end',
            'key_columns': slug ~ '.pkNames',
            'before_row': kafka_cdc.canal_before_row(slug ~ '.type', deleted_row),
            'after_row': 'if(' ~ slug ~ ".type = 'DELETE', null, row.after_row)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': slug ~ '.mysqlType',
            'ddl_text': 'nullif(' ~ slug ~ ".sql, '')",
        },
    }) }}
{% endmacro %}
