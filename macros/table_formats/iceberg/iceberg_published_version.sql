{#
  Returns the id of the snapshot with the tag `published`, or none (optional[integer]).

  Arguments:
    table (relation): the table.
#}
{% macro iceberg_published_version(table) %}
    {{ return(kafka_cdc.iceberg_version_named(table, 'published')) }}
{% endmacro %}
