{# Returns the number of a table's newest snapshot, none for a table that nothing was written to. #}
{% macro get_latest_version(table) %}
    {{ return(kafka_cdc.get_table_format_macro('latest_version')(table) if execute else none) }}
{% endmacro %}
