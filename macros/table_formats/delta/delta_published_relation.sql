{# Returns the relation that analysts see of a table: a view of the version that is published. (Delta has no names for versions.) #}
{% macro delta_published_relation(table) %}
    {{ return(table.incorporate(path={'identifier': 'published_' ~ table.identifier})) }}
{% endmacro %}
