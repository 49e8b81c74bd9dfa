{#
  Prints an expression: a date and time without a zone (timestamp_ntz) from yyyy-MM-dd HH:mm:ss.

  The separator is a space, T or colon, and a fraction may follow. A Z at the end shows only that
  the writer took the time for UTC. The result is null for any other text: zero dates, infinity,
  hour 24, leap seconds, fractions finer than microseconds, years before 1 or after 9999.

  Arguments:
    text (string): SQL of the text.
#}
{% macro decode_timestamp_ntz(text) -%}
    if(
        {{ text }} rlike r'^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}[ T:][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,6}0*)?Z?\z',
        try_cast(regexp_replace({{ text }}, '^(.{10}).(.{8,}?)Z?$', '$1 $2') as timestamp_ntz),
        null
    )
{%- endmacro %}
