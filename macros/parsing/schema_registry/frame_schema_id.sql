{# Prints SQL for the id of the schema that framed bytes name. #}
{% macro frame_schema_id(frame) -%}
    cast(conv(hex(substring({{ frame }}, 2, 4)), 16, 10) as int)
{%- endmacro %}
