{# Returns the number of the snapshot of a table that has a name (a branch or a tag), none where there is no such name. #}
{% macro iceberg_version_named(table, name) %}
    {{ return(run_query('select max(snapshot_id) from ' ~ table ~ ".refs where name = '" ~ name ~ "'").columns[0].values()[0]) }}
{% endmacro %}
