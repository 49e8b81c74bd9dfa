{#
  Returns the kind of database (mysql, postgresql, oracle, sqlserver, db2, mongodb) that a source is, or none where neither its
  messages nor its format say it.
  source_format, source_database_type: as events say them; null where they do not.
#}
{% macro get_source_database(source_format, source_database_type) %}
    {%- for format_glob, type_glob, database in kafka_cdc.get_source_databases() -%}
        {%- if kafka_cdc.has_glob_match(source_format or '', format_glob) and kafka_cdc.has_glob_match((source_database_type or '') | lower, type_glob) -%}
            {{ return(database) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(none) }}
{% endmacro %}
