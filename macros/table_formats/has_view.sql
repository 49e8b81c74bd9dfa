{# Returns whether a view of this name is there now. (dbt's own list lacks Iceberg's.) #}
{% macro has_view(relation) %}
    {{ return(run_query('show views in ' ~ relation.without_identifier() ~ " like '" ~ relation.identifier ~ "'").rows | length > 0) }}
{% endmacro %}
