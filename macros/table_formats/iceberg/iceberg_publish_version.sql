{# Moves the tag `published` of a table to a snapshot. Expiry of snapshots spares what is tagged. #}
{% macro iceberg_publish_version(table, snapshot) %}
    {%- do run_query('alter table ' ~ table ~ ' create or replace tag published as of version ' ~ snapshot) -%}
{% endmacro %}
