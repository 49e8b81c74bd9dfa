{#
  Returns the view of a table's published version, a relation. Delta has no names for versions.

  Arguments:
    table (relation): the table.
#}
{% macro delta_published_relation(table) %}
    {{ return(table.incorporate(path={'identifier': 'published_' ~ table.identifier})) }}
{% endmacro %}
