{#
  Post-hook: records the version of a table that the tests of this run are about to read.

  publish_tested_versions publishes exactly this version, never what another run writes meanwhile.

  Arguments:
    table (relation): the table that was just built, or that the run leaves unchanged.
#}
{% macro record_tested_version(table) %}
    {%- if execute -%}
        {%- set memory = kafka_cdc.get_run_memory() -%}
        {%- if (table | string) not in memory.get('nothing_to_write', {}) -%}
            {%- do kafka_cdc.record_write(table) -%}
        {%- endif -%}
        {%- set is_written = (table | string) in memory.get('written_tables', []) -%}
        {%- set version = kafka_cdc.get_latest_version(table, is_fresh=is_written) -%}
        {%- do memory.setdefault('tested_versions', {}).update({table | string: version}) -%}
    {%- endif -%}
{% endmacro %}
