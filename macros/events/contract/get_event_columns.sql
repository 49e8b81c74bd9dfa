{#
  Returns the event contract: the columns of `events` and of every staging view, in their order.

  Names and types are defined only here. models/parsed/parsed.yml describes the columns.

  Returns: a dictionary, column to SQL type.
#}
{% macro get_event_columns() %}
    {{ return({
        'kafka_topic': 'string',
        'topic_incarnation': 'int',
        'kafka_partition': 'int',
        'kafka_offset': 'bigint',
        'row_index': 'int',
        'kafka_timestamp': 'timestamp',
        'landed_at': 'timestamp',
        'landing_batch': 'bigint',
        'source_format': 'string',
        'source_name': 'string',
        'source_database_type': 'string',
        'source_tenant': 'string',
        'source_database': 'string',
        'source_schema': 'string',
        'source_table': 'string',
        'event_kind': 'string',
        'operation': 'string',
        'operation_code': 'string',
        'occurred_at': 'timestamp',
        'emitted_at': 'timestamp',
        'source_sequence': 'array<bigint>',
        'key_columns': 'array<string>',
        'row_key': 'string',
        'previous_row_key': 'string',
        'before_row': 'map<string, string>',
        'after_row': 'map<string, string>',
        'image': 'string',
        'removed_columns': 'array<string>',
        'paths': 'array<struct<name: string, steps: array<string>, new_size: int>>',
        'column_types': 'map<string, string>',
        'ddl_text': 'string',
        'ddl_tables': 'array<' ~ kafka_cdc.get_ddl_table_type() ~ '>',
        'reject_code': 'string',
        'reject_detail': 'string',
        'snapshot_mark': 'string',
    }) }}
{% endmacro %}
