{#
  Prints an expression: the Kafka key as a map of column to text.

  The key may be in Kafka Connect's schema envelope, also without its `schema`. The result is null
  if the message has no key or if the key is not JSON.

  Requires: the column `kafka_key`.
#}
{% macro message_key() -%}
    {%- set key -%}
    if(kafka_key rlike r'[0-9][.eE]|-0', {{ kafka_cdc.quote_numbers('kafka_key', "''") }}, kafka_key)
    {%- endset -%}

    if(
        contains(kafka_key, '"payload"')
        and (
            from_json(kafka_key, 'schema struct<type: string>').schema.type is not null
            or kafka_key rlike r'^\s*\{\s*"payload"\s*:\s*\{'
            and array_size(json_object_keys(kafka_key)) = 1
        ),
        from_json({{ key | indent(8) }}, 'payload map<string, string>').payload,
        from_json({{ key | indent(8) }}, 'map<string, string>')
    )
{%- endmacro %}
