{#
  Adds the fields of one signature (field → SQL type, or a mapping of its own for an object) to another, in place.
  Where one format asks for a field's text and another looks inside it, the inside wins: a struct says whether it is there.
#}
{% macro merge_fields(signature, added) %}
    {%- for field, type in added.items() -%}
        {%- if type is mapping and signature.get(field) is mapping -%}
            {%- do kafka_cdc.merge_fields(signature[field], type) -%}
        {%- elif type is mapping -%}
            {%- do signature.update({field: {}}) -%}
            {%- do kafka_cdc.merge_fields(signature[field], type) -%}
        {%- elif signature.get(field) is not mapping -%}
            {%- do signature.update({field: type}) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}
