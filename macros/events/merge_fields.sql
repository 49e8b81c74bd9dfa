{#
  Adds the fields of one signature to another, in place.

  If one format needs a field's text and another needs the members inside it, the members win.
  A struct also shows whether the field is there.

  Arguments:
    signature (dict[string, any]): field to SQL type, or to a dictionary of fields for an object.
    added (dict[string, any]): the signature whose fields are added.
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
