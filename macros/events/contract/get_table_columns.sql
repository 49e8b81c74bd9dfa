{# Returns the columns that name a source table; with row_key they name a row. Never null: a part that does not exist is ''. #}
{% macro get_table_columns() %}
    {{ return(['source_name', 'source_tenant', 'source_database', 'source_schema', 'source_table']) }}
{% endmacro %}
