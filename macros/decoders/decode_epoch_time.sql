{#
  Prints an expression: a time of day or a duration from a count since midnight.

  The result is a text HH:mm:ss[.f]. The count may be negative. The result is null if the text is
  not a whole number of nanoseconds, or of microseconds if the unit is another one.

  Arguments:
    text (string): SQL of the text.
    unit (string): `ms`, `us` or `ns`.
#}
{% macro decode_epoch_time(text, unit) -%}
    {%- if unit == 'ns' -%}
        {%- set second, digits = 1000000000, 9 -%}
        {%- set count = 'try_cast(regexp_extract(' ~ text ~ ", r'^-?[0-9]+\\z', 0) as bigint)" -%}
    {%- else -%}
        {%- set second, digits = 1000000, 6 -%}
        {%- set count = kafka_cdc.epoch_micros(text, unit) -%}
    {%- endif -%}
    {%- set time -%}
    if(count > -9223372036854775808, regexp_replace(
        concat(if(count < 0, '-', ''), format_string(
            '%02d:%02d:%02d.%0{{ digits }}d',
            abs(count) div {{ 3600 * second }},
            abs(count) div {{ 60 * second }} % 60,
            abs(count) div {{ second }} % 60,
            abs(count) % {{ second }}
        )),
        '[.]?0*$', ''
    ), null)
    {%- endset -%}
    {{ kafka_cdc.sql_let({'count': count}, time) }}
{%- endmacro %}
