{# Prints SQL: true where a text of json_between_sentinels is exactly one strict JSON object, whatever its fields. #}
{% macro json_object_condition(sealed_text, sentinel) -%}
    {{ kafka_cdc.read_json_object(sealed_text, sentinel, '') }} is not null
{%- endmacro %}
