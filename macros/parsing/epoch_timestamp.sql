{#
  Prints an expression: the timestamp of a Unix time.

  The result is null if the text is no whole number or if the year is outside 1 to 9999.

  Arguments:
    text (string): SQL of the number, as text.
    unit (string): `s`, `ms` or `us`.
#}
{% macro epoch_timestamp(text, unit='ms') -%}
    {%- set factor = {'s': 1000000, 'ms': 1000, 'us': 1}[unit] -%}
    {#- The first microsecond of year 1, and the last one of year 9999. -#}
    {%- set least = -62135596800000000 // factor -%}
    {%- set greatest = 253402300799999999 // factor -%}
    if(
        try_cast({{ text }} as bigint) between {{ least }} and {{ greatest }},
        timestamp_micros(try_cast({{ text }} as bigint) * {{ factor }}),
        null
    )
{%- endmacro %}
