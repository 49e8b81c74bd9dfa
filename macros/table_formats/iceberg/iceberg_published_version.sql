{# Returns the number of the snapshot of a table that has the tag `published`, none where none has. #}
{% macro iceberg_published_version(table) %}
    {{ return(kafka_cdc.iceberg_version_named(table, 'published')) }}
{% endmacro %}
