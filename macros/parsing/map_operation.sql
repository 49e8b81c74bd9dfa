{#
  Prints an expression: the project's operation for a vendor's operation code.

  A code that is not listed gives null, and the message is rejected as unknown_operation.

  Arguments:
    code (string): SQL of the vendor's code. Codes are case-sensitive.
    codes (dict[string, string]): vendor's code to operation, such as {'c': 'insert', 'u': 'update'}.
      get_operations lists the operations.
#}
{% macro map_operation(code, codes) -%}
    {%- for operation in codes.values() if operation not in kafka_cdc.get_operations() -%}
        {{ kafka_cdc.raise_error(
            'map_operation(' ~ code ~ '): unknown operation ' ~ operation,
            'use one of ' ~ kafka_cdc.get_operations().keys() | join(', ')
        ) }}
    {%- endfor -%}

    case {{ code }}
    {%- for vendor_code, operation in codes.items() %} when '{{ vendor_code }}' then '{{ operation }}'{% endfor %} end
{%- endmacro %}
