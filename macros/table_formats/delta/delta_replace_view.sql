{#
  Prints a statement: it gives an existing view another query, atomically.

  CREATE OR REPLACE VIEW would not be atomic: Spark drops a view of a metastore to replace it.

  Arguments:
    view (relation): the view.
    sql (string): the query.
#}
{% macro delta_replace_view(view, sql) -%}
alter view {{ view }} as
{{ sql }}
{%- endmacro %}
