{#
  Prints SQL for an array of one struct: the text read as exactly one strict JSON object, or of one null where it is not one
  or a field has another shape than `fields` says. One parse. The text is read inside an array with an empty object behind
  it, so that trailing text, a second document or a stray bracket changes the count.
  fields: the struct's fields as SQL types, `name type, …`; scalars as string. A key that is there twice: the last one wins.
#}
{% macro read_json_object(json_text, fields) -%}
    transform(
        array(from_json(
            concat('{"documents":[', {{ json_text }}, ',{}]}'),
            'documents array<struct<{{ fields }}>>, _corrupt_record string',
            {{ get_json_options() }}
        )),
        parsed -> if(parsed._corrupt_record is null and size(parsed.documents) = 2, parsed.documents[0], null)
    )
{%- endmacro %}
