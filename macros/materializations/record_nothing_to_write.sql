{#
  Records that the current run has nothing to write to a table, so that its materialization skips it.

  A model calls it when it renders a query without rows. Without it, dbt writes no rows, which takes
  two seconds and adds a table version.

  Arguments:
    table (relation): the table of the model that is rendered.
#}
{% macro record_nothing_to_write(table) %}
    {%- do kafka_cdc.get_run_memory().setdefault('nothing_to_write', {}).update({table | string: true}) -%}
{% endmacro %}
