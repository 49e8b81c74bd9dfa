{#
  Post-hook: records the version of a table that the tests of this run are about to read.

  publish_tested_versions publishes exactly this version, never what another run writes meanwhile.

  Arguments:
    table (relation): the table that was just built.
#}
{% macro record_tested_version(table) %}
    {%- if execute -%}
        {%- set versions = kafka_cdc.get_run_memory().setdefault('tested_versions', {}) -%}
        {%- do versions.update({table | string: kafka_cdc.get_latest_version(table)}) -%}
    {%- endif -%}
{% endmacro %}
