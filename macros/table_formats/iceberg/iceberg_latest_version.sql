{#
  Returns the id of a table's latest snapshot (optional[integer]); none if it has none.

  Arguments:
    table (relation): the table.
#}
{% macro iceberg_latest_version(table) %}
    {{ return(kafka_cdc.iceberg_version_named(table, 'main')) }}
{% endmacro %}
