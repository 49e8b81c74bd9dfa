{# Prints SQL: true where a row does not say one of its key columns, or says null. #}
{% macro incomplete_key_condition(row_map, key_columns) -%}
    exists({{ key_columns }}, name -> {{ row_map }}[name] is null)
{%- endmacro %}
