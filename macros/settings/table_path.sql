{# Prints SQL for database[.schema].table, as the setting tables names a source table. #}
{% macro table_path(of='') -%}
    concat_ws('.', nullif({{ of }}source_database, ''), nullif({{ of }}source_schema, ''), {{ of }}source_table)
{%- endmacro %}
