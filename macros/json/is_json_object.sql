{# Prints SQL: true where the text is exactly one strict JSON object, whatever its fields. #}
{% macro is_json_object(json_text, seal) -%}
    {{ read_json_object(json_text, seal, '') }} is not null
{%- endmacro %}
