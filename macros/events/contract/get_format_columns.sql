{#
  Returns the columns that a format says about a message, column → SQL type: those of the event contract that only the
  vendor's document can answer. All else (coordinates, keys' text, kinds, rejects) is the same for every format.
#}
{% macro get_format_columns() %}
    {%- set of_the_format = [
        'source_name', 'source_database_type', 'source_tenant', 'source_database', 'source_schema', 'source_table',
        'operation', 'operation_code', 'occurred_at', 'emitted_at', 'source_sequence', 'key_columns',
        'before_row', 'after_row', 'image', 'removed_columns', 'column_types', 'ddl_text',
    ] -%}
    {%- set columns = {} -%}
    {%- for name, type in kafka_cdc.get_event_columns().items() if name in of_the_format %}{% do columns.update({name: type}) %}{% endfor -%}
    {{ return(columns) }}
{% endmacro %}
