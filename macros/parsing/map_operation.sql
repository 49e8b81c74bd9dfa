{#
  Prints SQL that translates a vendor's operation code into the project's word, or null for a code that is not listed.
  codes: vendor's code → word of get_operations(), e.g. {'c': 'insert', 'u': 'update'}; case-sensitive.
#}
{% macro map_operation(code, codes) -%}
    {%- for word in codes.values() if word not in kafka_cdc.get_operations() -%}
        {{ kafka_cdc.raise_error('map_operation(' ~ code ~ '): unknown word ' ~ word, 'one of ' ~ kafka_cdc.get_operations().keys() | join(', ')) }}
    {%- endfor -%}
    case {{ code }}
    {%- for vendor_code, word in codes.items() %} when '{{ vendor_code }}' then '{{ word }}'{% endfor %} end
{%- endmacro %}
