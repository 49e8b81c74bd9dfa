{# Prints SQL: true where a text of sealed_json is exactly one strict JSON object, whatever its fields. #}
{% macro is_json_object(sealed_text, seal) -%}
    {{ read_json_object(sealed_text, seal, '') }} is not null
{%- endmacro %}
