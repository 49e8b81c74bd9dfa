{# Prints SQL: true where a map from a JSON object holds a key twice; null or false for a null map. #}
{% macro duplicate_keys_condition(row_map) -%}
    size(array_distinct(map_keys({{ row_map }}))) < size({{ row_map }})
{%- endmacro %}
