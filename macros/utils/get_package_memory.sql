{#
  Returns a mapping that all nodes of a package share while dbt parses, or while it runs.

  Nodes of other packages see the settings of this package only in a run (see get_setting). Each
  package therefore has a mapping for each of the two phases.

  Returns: a mapping, empty at first. The caller adds what it would otherwise compute again.
#}
{% macro get_package_memory() %}
    {%- set package = model.package_name if model is defined else '' -%}
    {{ return(kafka_cdc.get_run_memory().setdefault(package ~ ' running' if execute else package, {})) }}
{% endmacro %}
