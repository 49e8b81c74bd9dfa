{#
  Prints a relation: a table at the snapshot with the tag `published`.

  Arguments:
    table (relation): the table.
#}
{% macro iceberg_published_relation(table) -%}
    {{ table }} version as of 'published'
{%- endmacro %}
