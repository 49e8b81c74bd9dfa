{#
  Prints SQL for a decimal(precision, scale) from the base64 of its unscaled number (Kafka Connect's Decimal); a text with a point or a
  minus, which base64 does not have, is the number itself (digits alone are base64; where a column has numbers, use decode_decimal). Null where the text is neither or has too many digits.
  source_scale: the scale of the unscaled number where Spark has no such scale: below 0, above 38.
#}
{% macro decode_base64_decimal(text, precision, scale, source_scale=none) -%}
    if(
        {{ text }} rlike '[.-]',
        {{ kafka_cdc.decode_decimal(text, precision, scale) | indent(4) }},
        {% if source_scale is none -%}
        try_cast(concat({{ kafka_cdc.base64_integer(text) | indent(8) }}, 'E-{{ scale }}') as decimal({{ precision }}, {{ scale }}))
        {%- else -%}
        {{ kafka_cdc.sql_let(
            {'number_text': 'concat(' ~ kafka_cdc.base64_integer(text) ~ ", 'E" ~ -source_scale ~ "')"},
            kafka_cdc.decode_decimal('number_text', precision, scale)
        ) | indent(8) }}
        {%- endif %}
    )
{%- endmacro %}
