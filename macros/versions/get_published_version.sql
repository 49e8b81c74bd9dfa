{#
  Returns the number of the published version of a table, or none if there is none.

  The public views (changelog, current_rows, row_history) show the published version.

  Arguments:
    table (relation): the table.
    is_fresh (boolean): whether to ask again, because another run may have published.

  Returns: optional[integer].
#}
{% macro get_published_version(table, is_fresh=false) %}
    {{ return(kafka_cdc.get_versions(table, is_fresh).published if execute else none) }}
{% endmacro %}
