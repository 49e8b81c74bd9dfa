{#
  Returns the id of a table's latest snapshot (optional[integer]); none if it has none.

  Iceberg reports it as a property. A query of the table's branches takes Spark four times as long,
  and a build asks some fifteen times.

  Arguments:
    table (relation): the table.
#}
{% macro iceberg_latest_version(table) %}
    {%- set id = run_query('show tblproperties ' ~ table ~ " ('current-snapshot-id')").rows[0][1] -%}
    {{ return(none if id in (none, 'none') else id | int) }}
{% endmacro %}
