{# Returns the number of the snapshot of a table that has the tag `published`, none where none has. #}
{% macro iceberg_published_snapshot(table) %}
    {{ return(iceberg_snapshot_named(table, 'published')) }}
{% endmacro %}
