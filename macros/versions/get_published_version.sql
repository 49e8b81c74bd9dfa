{#
  Returns the number of the published version of a table, or none if there is none.

  The public views (changelog, current_rows, row_history) show the published version.

  Arguments:
    table (relation): the table.

  Returns: optional[integer].
#}
{% macro get_published_version(table) %}
    {{ return(kafka_cdc.get_versions(table).published if execute else none) }}
{% endmacro %}
