{#
  Prints a statement: it gives an existing view another query, atomically.

  Arguments:
    view (relation): the view.
    sql (string): the query.
#}
{% macro iceberg_replace_view(view, sql) -%}
create or replace view {{ view }} as
{{ sql }}
{%- endmacro %}
