{# Prints SQL for database[.schema].table, as the setting tables names a source table. #}
{% macro table_path() -%}
    concat_ws('.', nullif(source_database, ''), nullif(source_schema, ''), source_table)
{%- endmacro %}
