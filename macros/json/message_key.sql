{#
  Prints SQL for the Kafka key as a map of column → text, with or without Kafka Connect's schema envelope; null where the message has
  no key, or none in JSON. Reads kafka_key.
#}
{% macro message_key() -%}
    {%- set key = quote_numbers('kafka_key', "''") -%}
    if(from_json(kafka_key, 'schema struct<type: string>').schema.type is null, from_json({{ key }}, 'map<string, string>'),
        from_json({{ key }}, 'payload map<string, string>').payload)
{%- endmacro %}
