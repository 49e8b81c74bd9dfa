{#
  Returns whether a view of this package exists: it did at the start, or this run has built it.

  Arguments:
    name (string): the name of its model.
#}
{% macro has_built_view(name) %}
    {%- set view = kafka_cdc.get_model_relation(name) -%}
    {%- if view is none -%}
        {{ return(false) }}
    {%- endif -%}
    {{ return(name in kafka_cdc.get_run_memory().get('built_views', []) or kafka_cdc.had_view_at_start(view)) }}
{% endmacro %}
