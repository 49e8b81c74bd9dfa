{#
  Returns whether a view existed when the run first asked for the views of its schema.

  One query lists all views of a schema, if it exists, because a query per view took as long as
  Spark's start. Views that the run itself creates later are not seen; has_view asks the catalog again.

  Arguments:
    relation (relation): the view.

  Returns: a boolean.
#}
{% macro had_view_at_start(relation) %}
    {%- set views = kafka_cdc.get_run_memory().setdefault('views', {}) -%}
    {%- set schema = relation.without_identifier() | string -%}
    {%- if schema not in views -%}
        {%- set rows = [] -%}
        {%- if adapter.check_schema_exists(relation.database, relation.schema) -%}
            {%- set rows = run_query('show views in ' ~ schema).rows -%}
        {%- endif -%}
        {%- do views.update({schema: rows | rejectattr('isTemporary') | map(attribute='viewName') | list}) -%}
    {%- endif -%}
    {{ return(relation.identifier in views[schema]) }}
{% endmacro %}
