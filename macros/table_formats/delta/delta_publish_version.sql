{#
  Lets the view of what is published of a table show one of its versions, in one step. The view names the table's id, too: a table that is dropped
  and made anew counts its versions from 0.
#}
{% macro delta_publish_version(table, snapshot) %}
    {%- set sql = 'select * /* of the table ' ~ kafka_cdc.delta_table_id(table) ~ ' */ from ' ~ table ~ ' version as of ' ~ snapshot -%}
    {%- do run_query('create view if not exists ' ~ kafka_cdc.delta_published_relation(table) ~ ' as ' ~ sql) -%}
    {%- do run_query(kafka_cdc.delta_replace_view(kafka_cdc.delta_published_relation(table), sql)) -%}
{% endmacro %}
