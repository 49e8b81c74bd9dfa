{# Prints the SQL fields of a struct from a mapping of field → SQL type, or a mapping of its own for an object. #}
{% macro struct_fields(fields) -%}
    {%- for field, type in fields.items() -%}
        `{{ field }}` {% if type is mapping %}struct<{{ kafka_cdc.struct_fields(type) }}>{% else %}{{ type }}{% endif %}{{ ', ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
