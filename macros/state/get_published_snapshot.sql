{# Returns the number of the snapshot of a table that analysts see, none before the first publication. #}
{% macro get_published_snapshot(table) %}
    {{ return(run_query('select max(snapshot_id) from ' ~ table ~ ".refs where name = 'published'").columns[0].values()[0]) }}
{% endmacro %}
