{#
  Moves the tag `published` of a table to a snapshot. Iceberg never expires a tagged snapshot.

  Arguments:
    table (relation): the table.
    version (integer): the snapshot.
#}
{% macro iceberg_publish_version(table, version) %}
    {%- do run_query('alter table ' ~ table ~ ' create or replace tag published as of version ' ~ version) -%}
{% endmacro %}
