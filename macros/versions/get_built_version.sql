{#
  Returns the version of a table that this run has built, else its latest version.

  What this run tests and publishes is what it has built, not what another run writes meanwhile.

  Arguments:
    table (relation): the table.

  Returns: optional[integer]; none if the table has no version.
#}
{% macro get_built_version(table) %}
    {%- set built = kafka_cdc.get_run_memory().get('tested_versions', {}).get(table | string) if execute else none -%}
    {{ return(kafka_cdc.get_latest_version(table, is_fresh=false) if built is none else built) }}
{% endmacro %}
