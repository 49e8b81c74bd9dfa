{# Returns the number of the snapshot of a table that analysts see, none before the first publication. #}
{% macro get_published_snapshot(table) %}
    {{ return(in_table_format('published_snapshot')(table) if execute else none) }}
{% endmacro %}
