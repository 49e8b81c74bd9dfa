{# Prints the statement by which a view that is there gets another query, in one step. (Spark drops a view of a metastore to replace it.) #}
{% macro delta_replace_view(view, sql) -%}
alter view {{ view }} as
{{ sql }}
{%- endmacro %}
