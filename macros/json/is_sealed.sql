{# Prints SQL: true where the documents read from sealed_json are one JSON object between its two seals. #}
{% macro is_sealed(documents, seal) -%}
    size({{ documents }}) = 3 and {{ documents }}[0]._seal = {{ seal }} and {{ documents }}[1] is not null and {{ documents }}[2]._seal = {{ seal }}
{%- endmacro %}
