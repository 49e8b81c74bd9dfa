{#
  Returns the kind of database that a source is.

  Arguments:
    source_format (optional[string]): the column of events.
    source_database_type (optional[string]): the column of events.

  Returns: mysql, postgresql, oracle, sqlserver, db2 or mongodb. None if neither the messages nor
    the format determine it.
#}
{% macro get_source_database(source_format, source_database_type) %}
    {%- set format = source_format or '' -%}
    {%- set type = (source_database_type or '') | lower -%}

    {%- for format_glob, type_glob, database in kafka_cdc.get_source_databases() -%}
        {%- if kafka_cdc.has_glob_match(format, format_glob) and kafka_cdc.has_glob_match(type, type_glob) -%}
            {{ return(database) }}
        {%- endif -%}
    {%- endfor -%}

    {{ return(none) }}
{% endmacro %}
