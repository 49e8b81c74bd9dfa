{#
  Publishes a version of a table: the view published_<table> shows it, atomically.

  The view's query also has the table's id in a comment. A table that is dropped and recreated
  counts its versions from 0 again, and the id shows that the view belongs to the earlier table.

  Arguments:
    table (relation): the table.
    version (integer): the version.
#}
{% macro delta_publish_version(table, version) %}
    {%- set view = kafka_cdc.delta_published_relation(table) -%}
    {%- set comment = '/* of the table ' ~ kafka_cdc.delta_table_id(table) ~ ' */' -%}
    {%- set sql = 'select * ' ~ comment ~ ' from ' ~ table ~ ' version as of ' ~ version -%}
    {%- do run_query('create view if not exists ' ~ view ~ ' as ' ~ sql) -%}
    {%- do run_query(kafka_cdc.delta_replace_view(view, sql)) -%}
{% endmacro %}
