{#
  Returns whether a view of this name was there when the run first asked for its schema. Each schema is asked once, as to ask for each view (has_view) took
  as long as Spark's start; what the run itself makes later is not seen.
#}
{% macro had_view_at_start(relation) %}
    {%- set known, schema = graph.setdefault('kafka_cdc_views', {}), (invocation_id, relation.without_identifier() | string) -%}
    {%- if schema not in known -%}
        {%- do known.update({schema: run_query('show views in ' ~ relation.without_identifier()).rows | rejectattr('isTemporary') | map(attribute='viewName') | list}) -%}
    {%- endif -%}
    {{ return(relation.identifier in known[schema]) }}
{% endmacro %}
