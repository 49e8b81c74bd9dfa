{#
  Returns the number of the latest version of a table, or none if it has none.

  A version is a snapshot in Iceberg and a version in Delta.

  Arguments:
    table (relation): the table.
    is_fresh (boolean): whether to ask again. Otherwise it is the version that the run has seen or written.

  Returns: optional[integer].
#}
{% macro get_latest_version(table, is_fresh=true) %}
    {{ return(kafka_cdc.get_versions(table, is_fresh).latest if execute else none) }}
{% endmacro %}
