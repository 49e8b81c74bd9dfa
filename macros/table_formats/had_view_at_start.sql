{#
  Returns whether a view existed when the run first asked for the views of its schema.

  One query lists all views of a schema, because a query per view took as long as Spark's start.
  Views that the run itself creates later are not seen; has_view asks the catalog again. A schema of
  tables without events may not exist yet, and has no view.

  Arguments:
    relation (relation): the view.

  Returns: a boolean.
#}
{% macro had_view_at_start(relation) %}
    {%- set views = kafka_cdc.get_run_memory().setdefault('views', {}) -%}
    {%- set schema = relation.without_identifier() | string -%}
    {%- if schema not in views -%}
        {%- set events, rows = kafka_cdc.get_model_relation('events'), [] -%}
        {%- if schema != events.without_identifier() | string or kafka_cdc.has_table(events) -%}
            {%- set rows = run_query('show views in ' ~ schema).rows -%}
        {%- endif -%}
        {%- do views.update({schema: rows | rejectattr('isTemporary') | map(attribute='viewName') | list}) -%}
    {%- endif -%}
    {{ return(relation.identifier in views[schema]) }}
{% endmacro %}
