{#
  Prints an expression: a decimal from a document with a scale of its own.

  The document is {"scale": 2, "value": base64 of the unscaled number}, Debezium's
  VariableScaleDecimal. Any other text is the number itself. The result is null if the text is
  neither, or if the number would have to be rounded.

  Arguments:
    text (string): SQL of the text.
    precision (integer): precision of the decimal.
    scale (integer): scale of the decimal.
#}
{% macro decode_scaled_decimal(text, precision, scale) -%}
    {%- set document = 'from_json(' ~ text ~ ", 'scale int, value string')" -%}
    {%- set unscaled = kafka_cdc.base64_integer('document.value') -%}
    {{ kafka_cdc.sql_let({
        'document': document,
        'number_text': 'if(' ~ text ~ " like '{%', concat(" ~ unscaled
            ~ ", 'E', -cast(document.scale as bigint)), " ~ text ~ ')',
    }, kafka_cdc.decode_decimal('number_text', precision, scale)) }}
{%- endmacro %}
