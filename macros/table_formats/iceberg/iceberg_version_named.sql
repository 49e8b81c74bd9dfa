{#
  Returns the id of the snapshot of a branch or tag (optional[integer]); none if there is none.

  Arguments:
    table (relation): the table.
    name (string): name of the branch or tag.
#}
{% macro iceberg_version_named(table, name) %}
    {%- set query = 'select max(snapshot_id) from ' ~ table ~ ".refs where name = '" ~ name ~ "'" -%}
    {{ return(run_query(query).columns[0].values()[0]) }}
{% endmacro %}
