{# Prints SQL: true where the documents read from json_between_sentinels are one JSON object between its two seals. #}
{% macro sentinels_intact_condition(documents, sentinel) -%}
    size({{ documents }}) = 3 and {{ documents }}[0]._sentinel = {{ sentinel }} and {{ documents }}[1] is not null and {{ documents }}[2]._sentinel = {{ sentinel }}
{%- endmacro %}
