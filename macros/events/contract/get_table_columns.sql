{#
  Returns the columns that identify a source table. With row_key they identify a row.

  They are never null. A part that does not exist is ''.

  Returns: a list of column names.
#}
{% macro get_table_columns() %}
    {{ return(['source_name', 'source_tenant', 'source_database', 'source_schema', 'source_table']) }}
{% endmacro %}
