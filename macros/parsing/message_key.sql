{#
  Prints an expression: the Kafka key as a map of column to text.

  The key may be in Kafka Connect's schema envelope. Its `schema` may be null or missing. The result
  is null if the message has no key or if the key is not JSON.

  Arguments:
    text (string): SQL of the key, by default the column `kafka_key`.
#}
{% macro message_key(text='kafka_key') -%}
    {%- set key -%}
    if({{ text }} rlike r'[0-9][.eE]|-0', {{ kafka_cdc.quote_numbers(text, "''") }}, {{ text }})
    {%- endset -%}

    {#- A key of one plain column needs no parse. -#}
    {%- set one_column -%}
    r'^\{"([^"\\\x00-\x1f]++)": ?("[^"\\\x00-\x1f]*+"|-?(?:0|[1-9][0-9]{0,99}+))\}\z'
    {%- endset -%}

    if(
        {{ text }} rlike {{ one_column }},
        map(
            regexp_extract({{ text }}, {{ one_column }}, 1),
            trim(both '"' from regexp_extract({{ text }}, {{ one_column }}, 2))
        ),
        if(
            contains({{ text }}, '"payload"')
            and (
                from_json({{ text }}, 'schema struct<type: string>').schema.type is not null
                or {{ text }} rlike r'^\s*\{\s*(?:"schema"\s*:\s*null\s*,\s*)?"payload"\s*:\s*\{'
                and size(array_except(json_object_keys({{ text }}), array('schema', 'payload'))) = 0
            ),
            from_json({{ key | indent(8) }}, 'payload map<string, string>').payload,
            from_json({{ key | indent(8) }}, 'map<string, string>')
        )
    )
{%- endmacro %}
