{#
  Notes which snapshot of a table the tests of this run are about to read: the newest one, just after its model was built. A post-hook;
  it prints nothing. dbt gives macros no memory of a run but `graph`, which all its nodes share.
#}
{% macro record_tested_version(table) %}
    {%- if execute -%}
        {%- do graph.setdefault('kafka_cdc_snapshots', {}).update({(invocation_id, table | string): [kafka_cdc.get_latest_version(table)]}) -%}
    {%- endif -%}
{% endmacro %}
