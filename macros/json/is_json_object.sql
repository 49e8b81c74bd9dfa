{# Prints SQL: true where the text is exactly one strict JSON object, whatever its fields. #}
{% macro is_json_object(json_text, seal) -%}
    element_at({{ read_json_object(json_text, seal, '') | indent(4) }}, 1) is not null
{%- endmacro %}
