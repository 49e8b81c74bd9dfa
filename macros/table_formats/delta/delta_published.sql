{# Prints a relation as analysts see it: a view of the version of the table that is published. (Delta has no names for versions.) #}
{% macro delta_published(table) -%}
    {{ table.incorporate(path={'identifier': 'published_' ~ table.identifier}) }}
{%- endmacro %}
