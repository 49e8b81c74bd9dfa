{#
  Prints SQL for a date and time on no clock in particular (timestamp_ntz) from yyyy-MM-dd HH:mm:ss, with a space, T or colon between,
  with or without a fraction. A Z at its end says only that the writer took it for UTC. Null for any other text: zero dates,
  infinity, hour 24, leap seconds, fractions finer than microseconds, years before 1 or after 9999.
#}
{% macro decode_timestamp_ntz(text) -%}
    if(
        {{ text }} rlike r'^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}[ T:][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,6}0*)?Z?\z',
        try_cast(regexp_replace({{ text }}, '^(.{10}).(.{8,}?)Z?$', '$1 $2') as timestamp_ntz),
        null
    )
{%- endmacro %}
