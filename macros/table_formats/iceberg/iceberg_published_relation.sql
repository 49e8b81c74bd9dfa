{# Prints a relation as analysts see it: what its tag `published` holds. #}
{% macro iceberg_published_relation(table) -%}
    {{ table }} version as of 'published'
{%- endmacro %}
