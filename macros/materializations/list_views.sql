{#
  Tells dbt which views there are in the schemas where a run makes some, once: its own list lacks Iceberg's, and to ask for each took as long as Spark's
  start. A hook at the start of a run; it prints nothing.
#}
{% macro list_views() %}
    {%- if execute and flags.WHICH in ['run', 'build'] -%}
        {%- set nodes = graph.nodes.values() | selectattr('unique_id', 'in', selected_resources) | selectattr('config.materialized', 'equalto', 'kept_view') -%}
        {%- for schema in nodes | map(attribute='schema') | unique -%}
            {%- for row in run_query('show views in ' ~ schema).rows if not row.isTemporary -%}
                {%- do adapter.cache_added(api.Relation.create(schema=schema, identifier=row.viewName, type='view')) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}
