{#
  Returns the SQL type of one table or database that a DDL statement changes.

  For a database the field `table` is ''.

  Returns: a string.
#}
{% macro get_ddl_table_type() %}
    {{ return('struct<operation: string, database: string, schema: string, `table`: string, '
        ~ 'new_database: string, new_schema: string, new_table: string>') }}
{% endmacro %}
