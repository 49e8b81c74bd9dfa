{# Lets the view of what is published of a table show one of its versions. maintain_tables spares it. #}
{% macro delta_publish_snapshot(table, snapshot) %}
    {%- do run_query('create or replace view ' ~ delta_published(table) ~ " tblproperties ('kafka_cdc.version' = '" ~ snapshot ~ "') as select * from " ~ table ~ ' version as of ' ~ snapshot) -%}
{% endmacro %}
