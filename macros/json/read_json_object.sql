{#
  Prints SQL for a struct: a text of sealed_json read as exactly one strict JSON object; null where it is not one or a field has
  another shape than `fields` says. One parse.
  fields: the struct's fields as SQL types, `name type, …`; scalars as string. Of a key that is there twice the last one wins.
#}
{% macro read_json_object(sealed_text, seal, fields) -%}
    {%- set parsed -%}
    from_json(
        {{ sealed_text }},
        'documents array<struct<_seal string{{ ', ' ~ fields if fields }}>>, _corrupt_record string',
        {{ get_json_options() }}
    )
    {%- endset -%}
    {{ let({'parsed': parsed}, 'if(parsed._corrupt_record is null and ' ~ is_sealed('parsed.documents', seal) ~ ', parsed.documents[1], null)') }}
{%- endmacro %}
