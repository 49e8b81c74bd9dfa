{# Returns the number of the snapshot of a table that analysts see, none before the first publication. #}
{% macro get_published_version(table) %}
    {{ return(kafka_cdc.get_table_format_macro('published_version')(table) if execute else none) }}
{% endmacro %}
