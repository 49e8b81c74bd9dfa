{# Prints SQL: true where the text is exactly one strict JSON object, whatever its fields. #}
{% macro is_json_object(json_text) -%}
    size(from_json(
        concat('{"documents":[', {{ json_text }}, ',{}]}'), 'documents array<map<string, string>>', {{ get_json_options() }}
    ).documents) = 2
{%- endmacro %}
