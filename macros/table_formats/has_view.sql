{#
  Returns whether a view exists now. dbt's own list of relations lacks Iceberg's views.

  Arguments:
    relation (relation): the view.

  Returns: a boolean.
#}
{% macro has_view(relation) %}
    {%- set query = 'show views in ' ~ relation.without_identifier() ~ " like '" ~ relation.identifier ~ "'" -%}
    {{ return(run_query(query).rows | length > 0) }}
{% endmacro %}
