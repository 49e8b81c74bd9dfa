{# Returns the number of a table's newest snapshot, none for a table that nothing was written to. #}
{% macro iceberg_newest_snapshot(table) %}
    {{ return(iceberg_snapshot_named(table, 'main')) }}
{% endmacro %}
