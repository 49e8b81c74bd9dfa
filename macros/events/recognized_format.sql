{#
  Prints an expression: the slug of the first format that recognizes a message, or null.

  One light parse reads only the fields that tell the formats apart.

  Arguments:
    json_text (string): SQL of the payload.
#}
{% macro recognized_format(json_text) -%}
    {%- set signature = {} -%}
    {%- set branches = [] -%}
    {%- for slug in kafka_cdc.get_formats() -%}
        {%- set recognized_by = kafka_cdc.get_format(slug).recognized_by -%}
        {%- do kafka_cdc.merge_fields(signature, recognized_by.signature) -%}
        {%- do branches.append('when ' ~ recognized_by.condition ~ " then '" ~ slug ~ "'") -%}
    {%- endfor -%}

    {%- set signature_of_message -%}
    from_json({{ json_text }}, '{{ kafka_cdc.struct_fields(signature) }}', {{ kafka_cdc.get_json_options() }})
    {%- endset -%}
    {%- set first_match = 'case\n            ' ~ branches | join('\n            ') ~ '\n        end' -%}

    {{ kafka_cdc.sql_let({'signature': signature_of_message}, first_match) }}
{%- endmacro %}
