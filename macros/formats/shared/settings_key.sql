{#
  Prints an expression: the key that the settings `tables` and `topics` name for a table, null for none.

  Arguments:
    database (string): SQL of the database.
    schema (string): SQL of the schema.
    table (string): SQL of the table.

  Requires: the columns that select_recognized_messages yields.
#}
{% macro settings_key(database, schema, table) -%}
    {%- set names = 'struct(' ~ database ~ ' as source_database, ' ~ schema ~ ' as source_schema, '
        ~ table ~ ' as source_table)' -%}
    {{ kafka_cdc.sql_let(
        {'source_name': 'coalesce(settings.source, source_format)', 'names': names},
        kafka_cdc.table_setting('key', 'settings.key', 'names.')
    ) }}
{%- endmacro %}
