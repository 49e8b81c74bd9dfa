{#
  Prints the SQL fields of a struct type.

  Arguments:
    fields (dict[string, any]): field to SQL type, or to a dictionary of fields for an object.
#}
{% macro struct_fields(fields) -%}
    {%- for field, type in fields.items() -%}
        {%- set sql_type = 'struct<' ~ kafka_cdc.struct_fields(type) ~ '>' if type is mapping else type -%}
        `{{ field }}` {{ sql_type }}{{ ', ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
