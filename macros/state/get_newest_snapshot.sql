{# Returns the number of a table's newest snapshot, none for a table that nothing was written to. #}
{% macro get_newest_snapshot(table) %}
    {{ return(run_query('select max_by(snapshot_id, made_current_at) from ' ~ table ~ '.history').columns[0].values()[0]) }}
{% endmacro %}
