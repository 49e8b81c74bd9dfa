{# Returns the number of a table's newest snapshot, none for a table that nothing was written to. #}
{% macro get_newest_snapshot(table) %}
    {{ return(get_snapshot(table, 'main')) }}
{% endmacro %}
