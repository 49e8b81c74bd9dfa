{#
  Prints an expression: a struct, read from a text that must be exactly one strict JSON object.

  The result is null if the text is not one, or if a field has another JSON type than `fields` has.
  Of duplicate members the last one wins. The text is parsed once if all fields have their types.

  If `essential_fields` is given, only these fields need their types. Spark then reads a field of
  another type as null, and the others as usual. Only such a text is parsed again, as the proof that
  the essential fields have their types.

  Arguments:
    guarded_text (string): SQL of a text that json_between_sentinels has made.
    sentinel (string): SQL of its sentinel.
    fields (string): the struct's fields, `name type, …`. Scalars have the type string.
    essential_fields (optional[string]): the fields whose JSON types count. None: all.
#}
{% macro read_json_object(guarded_text, sentinel, fields, essential_fields=none) -%}
    {%- set parsed -%}
    from_json(
        {{ guarded_text }},
        'documents array<struct<_sentinel string{{ ', ' ~ fields if fields }}>>, _corrupt_record string',
        {{ kafka_cdc.get_json_options() }}
    )
    {%- endset -%}

    {%- set has_types = 'json_object._corrupt_record is null' -%}
    {%- if essential_fields is not none and essential_fields != fields -%}
        {%- set essential_object = kafka_cdc.read_json_object(guarded_text, sentinel, essential_fields) -%}
        {%- set has_types = '(' ~ has_types ~ ' or ' ~ essential_object ~ ' is not null)' -%}
    {%- endif -%}

    {%- set checked -%}
    if(
        {{ has_types }}
        and {{ kafka_cdc.sentinels_intact_condition('json_object.documents', sentinel) | indent(8) }},
        json_object.documents[1],
        null
    )
    {%- endset -%}

    {{ kafka_cdc.sql_let({'json_object': parsed}, checked) }}
{%- endmacro %}
