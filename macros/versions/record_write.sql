{#
  Records that this run writes to a table of its own, so that its versions are asked for again.

  Arguments:
    table (relation): the table.
#}
{% macro record_write(table) %}
    {%- do kafka_cdc.get_run_memory().setdefault('written_tables', []).append(table | string) -%}
{% endmacro %}
