{#
  Prints an expression: a struct, read from a text that must be exactly one strict JSON object.

  The result is null if the text is not one, or if a field has another JSON type than `fields` has.
  Of duplicate members the last one wins. The text is parsed once.

  Arguments:
    guarded_text (string): SQL of a text that json_between_sentinels has made.
    sentinel (string): SQL of its sentinel.
    fields (string): the struct's fields, `name type, …`. Scalars have the type string.
#}
{% macro read_json_object(guarded_text, sentinel, fields) -%}
    {%- set parsed -%}
    from_json(
        {{ guarded_text }},
        'documents array<struct<_sentinel string{{ ', ' ~ fields if fields }}>>, _corrupt_record string',
        {{ kafka_cdc.get_json_options() }}
    )
    {%- endset -%}

    {%- set checked -%}
    if(
        json_object._corrupt_record is null
        and {{ kafka_cdc.sentinels_intact_condition('json_object.documents', sentinel) | indent(8) }},
        json_object.documents[1],
        null
    )
    {%- endset -%}

    {{ kafka_cdc.sql_let({'json_object': parsed}, checked) }}
{%- endmacro %}
