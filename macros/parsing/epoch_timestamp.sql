{#
  Prints SQL for the timestamp that an epoch says, or null where the text is no whole number or lies outside the years 1-9999.
  unit: 's', 'ms' or 'us'.
#}
{% macro epoch_timestamp(text, unit='ms') -%}
    {%- set factor = {'s': 1000000, 'ms': 1000, 'us': 1}[unit] -%}
    if(
        try_cast({{ text }} as bigint) between {{ -62135596800000000 // factor }} and {{ 253402300799999999 // factor }},
        timestamp_micros(try_cast({{ text }} as bigint) * {{ factor }}),
        null
    )
{%- endmacro %}
