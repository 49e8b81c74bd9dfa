{#
  Prints an expression: a decimal from the base64 of its unscaled number (Kafka Connect's Decimal).

  A text with a point or a minus sign is the number itself, because base64 has neither. Digits
  alone are read as base64: use decode_decimal for a column of numbers. The result is null if the
  text is neither, or if the number has too many digits.

  The scale -127 is JDBC's mark of an unknown scale, to which the writer has rounded the number. The
  result is then null for base64.

  Arguments:
    text (string): SQL of the text.
    precision (integer): precision of the decimal.
    scale (integer): scale of the decimal.
    source_scale (optional[integer]): scale of the unscaled number if Spark has no such scale
      (below 0 or above 38).
#}
{% macro decode_base64_decimal(text, precision, scale, source_scale=none) -%}
    {%- set type = 'decimal(' ~ precision ~ ', ' ~ scale ~ ')' -%}
    if(
        {{ text }} rlike '[.-]',
        {{ kafka_cdc.decode_decimal(text, precision, scale) | indent(4) }},
        {% if source_scale is none -%}
        try_cast(concat({{ kafka_cdc.base64_integer(text) | indent(8) }}, 'E-{{ scale }}') as {{ type }})
        {%- elif source_scale == -127 -%}
        cast(null as {{ type }})
        {%- elif source_scale > scale -%}
        {%- set quotient = kafka_cdc.base64_quotient(text, source_scale - scale) -%}
        try_cast(concat({{ quotient | indent(8) }}, 'E-{{ scale }}') as {{ type }})
        {%- else -%}
        {{ kafka_cdc.sql_let(
            {'number_text': 'concat(' ~ kafka_cdc.base64_integer(text) ~ ", 'E" ~ -source_scale ~ "')"},
            kafka_cdc.decode_decimal('number_text', precision, scale)
        ) | indent(8) }}
        {%- endif %}
    )
{%- endmacro %}
