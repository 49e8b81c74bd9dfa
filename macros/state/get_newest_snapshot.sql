{# Returns the number of a table's newest snapshot, none for a table that nothing was written to. #}
{% macro get_newest_snapshot(table) %}
    {{ return(in_table_format('newest_snapshot')(table) if execute else none) }}
{% endmacro %}
