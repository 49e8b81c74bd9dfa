{#
  Prints an expression: an unsigned 64-bit number, decimal(20, 0), from a text that may be
  negative.

  A number above 2^63 - 1 becomes negative if it passes through a signed type. The result is null
  if the text is no such number.

  Arguments:
    text (string): SQL of the text.
#}
{% macro decode_wrapped_integer(text) -%}
    if(
        {{ kafka_cdc.decode_integer(text, 'bigint') }} < 0,
        cast(try_cast({{ text }} as bigint) + 18446744073709551616BD as decimal(20, 0)),
        if({{ text }} rlike r'^[0-9]{1,20}\z', try_cast({{ text }} as decimal(20, 0)), null)
    )
{%- endmacro %}
