{#
  Returns a mapping that all nodes of a package share, while dbt parses or while it runs.

  The settings that a node sees depend on its package and on that phase. dbt shows those of another
  package only to a running node.

  Returns: a mapping, empty at first. The caller adds what it would otherwise compute again.
#}
{% macro get_package_memory() %}
    {%- set package = model.package_name if model is defined else '' -%}
    {{ return(kafka_cdc.get_run_memory().setdefault(package ~ ' running' if execute else package, {})) }}
{% endmacro %}
