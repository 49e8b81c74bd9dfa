{#
  Returns the id of the snapshot with the tag `published`, or none (optional[integer]).

  Arguments:
    table (relation): the table.
#}
{% macro iceberg_published_version(table) %}
    {%- set rows = run_query('select snapshot_id from ' ~ table ~ ".refs where name = 'published'").rows -%}
    {{ return(rows[0]['snapshot_id'] if rows else none) }}
{% endmacro %}
