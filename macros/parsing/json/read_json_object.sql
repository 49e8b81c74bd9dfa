{#
  Prints SQL for a struct: a text of json_between_sentinels read as exactly one strict JSON object; null where it is not one or a field has
  another shape than `fields` says. One parse.
  fields: the struct's fields as SQL types, `name type, …`; scalars as string. Of a key that is there twice the last one wins.
#}
{% macro read_json_object(sealed_text, sentinel, fields) -%}
    {%- set parsed -%}
    from_json(
        {{ sealed_text }},
        'documents array<struct<_sentinel string{{ ', ' ~ fields if fields }}>>, _corrupt_record string',
        {{ kafka_cdc.get_json_options() }}
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({'parsed': parsed}, 'if(parsed._corrupt_record is null and ' ~ kafka_cdc.sentinels_intact_condition('parsed.documents', sentinel) ~ ', parsed.documents[1], null)') }}
{%- endmacro %}
