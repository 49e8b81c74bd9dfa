{#
  Prints SQL for an array of one struct: the text read as exactly one strict JSON object, or of one null where it is not one or
  a field has another shape than `fields` says. One parse.
  fields: the struct's fields as SQL types, `name type, …`; scalars as string. Of a key that is there twice the last one wins.
#}
{% macro read_json_object(json_text, seal, fields) -%}
    transform(
        array(from_json(
            {{ sealed_json(json_text, seal) | indent(12) }},
            'documents array<struct<_seal string{{ ', ' ~ fields if fields }}>>, _corrupt_record string',
            {{ get_json_options() }}
        )),
        parsed -> if(parsed._corrupt_record is null and {{ is_sealed('parsed.documents', seal) }}, parsed.documents[1], null)
    )
{%- endmacro %}
