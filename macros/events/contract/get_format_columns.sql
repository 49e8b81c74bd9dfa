{#
  Returns the columns of the event contract that a format provides.

  Only the vendor's document can answer these. All other columns are computed in the same way for
  every format: coordinates, row keys, event kinds, rejects.

  Returns: a dictionary, column to SQL type.
#}
{% macro get_format_columns() %}
    {%- set names = [
        'source_name',
        'source_database_type',
        'source_tenant',
        'source_database',
        'source_schema',
        'source_table',
        'operation',
        'operation_code',
        'occurred_at',
        'emitted_at',
        'source_sequence',
        'key_columns',
        'before_row',
        'after_row',
        'image',
        'removed_columns',
        'column_types',
        'ddl_text',
    ] -%}

    {%- set columns = {} -%}
    {%- for name, type in kafka_cdc.get_event_columns().items() if name in names -%}
        {%- do columns.update({name: type}) -%}
    {%- endfor -%}

    {{ return(columns) }}
{% endmacro %}
