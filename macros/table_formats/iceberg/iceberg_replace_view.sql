{# Prints the statement by which a view that is there gets another query, in one step. #}
{% macro iceberg_replace_view(view, sql) -%}
create or replace view {{ view }} as
{{ sql }}
{%- endmacro %}
