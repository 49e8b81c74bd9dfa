{# Prints SQL for a value that stays the text that it is: character types, JSON, XML, UUIDs, ranges, intervals, network addresses. #}
{% macro decode_text(text) -%}
    {{ text }}
{%- endmacro %}
