{#
  Returns the number of the latest version of a table, or none if it has none.

  A version is a snapshot in Iceberg and a version in Delta.

  Arguments:
    table (relation): the table.

  Returns: optional[integer].
#}
{% macro get_latest_version(table) %}
    {{ return(kafka_cdc.get_table_format_macro('latest_version')(table) if execute else none) }}
{% endmacro %}
