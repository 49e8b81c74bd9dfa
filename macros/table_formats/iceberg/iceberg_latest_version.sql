{# Returns the number of a table's newest snapshot, none for a table that nothing was written to. #}
{% macro iceberg_latest_version(table) %}
    {{ return(kafka_cdc.iceberg_version_named(table, 'main')) }}
{% endmacro %}
