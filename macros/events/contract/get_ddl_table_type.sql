{# Returns the SQL type of one table (or database, then table is '') that a DDL statement touches. #}
{% macro get_ddl_table_type() %}
    {{ return('struct<operation: string, database: string, schema: string, `table`: string, '
        ~ 'new_database: string, new_schema: string, new_table: string>') }}
{% endmacro %}
