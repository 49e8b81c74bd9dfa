{#
  Prints SQL for a decimal(precision, scale) from a document that says its own scale, {"scale": 2, "value": base64 of the unscaled
  number}; a text with a point or a minus before its digits is the number itself. Null where it is neither or would have to be rounded.
#}
{% macro decode_scaled_decimal(text, precision, scale) -%}
    {%- set document = 'from_json(' ~ text ~ ", 'scale int, value string')" -%}
    {{ kafka_cdc.sql_let({
        'document': document,
        'number_text': "if(" ~ text ~ " like '{%', concat(" ~ kafka_cdc.base64_integer('document.value') ~ ", 'E', -document.scale), " ~ text ~ ')',
    }, kafka_cdc.decode_decimal('number_text', precision, scale)) }}
{%- endmacro %}
