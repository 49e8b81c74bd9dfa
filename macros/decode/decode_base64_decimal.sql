{#
  Prints SQL for a decimal(precision, scale) from the base64 of its unscaled number (Kafka Connect's Decimal); a text with a point or a
  minus, which base64 does not have, is the number itself (digits alone are base64; where a column has numbers, use decode_decimal). Null where the text is neither or has too many digits.
#}
{% macro decode_base64_decimal(text, precision, scale) -%}
    if(
        {{ text }} rlike '[.-]',
        {{ kafka_cdc.decode_decimal(text, precision, scale) | indent(4) }},
        try_cast(concat({{ kafka_cdc.base64_integer(text) | indent(8) }}, 'E-{{ scale }}') as decimal({{ precision }}, {{ scale }}))
    )
{%- endmacro %}
