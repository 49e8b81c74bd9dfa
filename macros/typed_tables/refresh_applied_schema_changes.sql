{#
  Recreates the view applied_schema_changes after a run in which a typed table followed its source.

  dbt builds the view without waiting for the typed tables. Without this hook, the view would list a
  change one run later.
#}
{% macro refresh_applied_schema_changes() %}
    {%- set node = graph.nodes.get('model.kafka_cdc.applied_schema_changes') if execute else none -%}
    {%- if node and kafka_cdc.get_run_memory().get('has_schema_changes') -%}
        {%- set view = api.Relation.create(schema=node.schema, identifier=node.alias) -%}
        {%- if kafka_cdc.has_view(view) -%}
            {%- do kafka_cdc.replace_view(view, kafka_cdc.select_applied_schema_changes()) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
