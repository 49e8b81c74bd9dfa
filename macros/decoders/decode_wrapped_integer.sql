{#
  Prints SQL for an unsigned 64-bit number, decimal(20, 0), from a text that may have passed through a signed one, where what is
  beyond 2^63 - 1 became negative; null where the text is no such number.
#}
{% macro decode_wrapped_integer(text) -%}
    if(
        {{ kafka_cdc.decode_integer(text, 'bigint') }} < 0,
        cast(try_cast({{ text }} as bigint) + 18446744073709551616BD as decimal(20, 0)),
        if({{ text }} rlike r'^[0-9]{1,20}\z', try_cast({{ text }} as decimal(20, 0)), null)
    )
{%- endmacro %}
