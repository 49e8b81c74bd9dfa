{#
  Prints an expression: a time of day or a duration from a count since midnight.

  The result is a text HH:mm:ss[.f]. The count may be negative. The result is null if the text is
  not a number, or if it is more precise than microseconds.

  Arguments:
    text (string): SQL of the text.
    unit (string): `ms`, `us` or `ns`.
#}
{% macro decode_epoch_time(text, unit) -%}
    {%- set time -%}
    if(micros > -9223372036854775808, regexp_replace(
        concat(if(micros < 0, '-', ''), format_string(
            '%02d:%02d:%02d.%06d',
            abs(micros) div 3600000000,
            abs(micros) div 60000000 % 60,
            abs(micros) div 1000000 % 60,
            abs(micros) % 1000000
        )),
        '[.]?0*$', ''
    ), null)
    {%- endset -%}
    {{ kafka_cdc.sql_let({'micros': kafka_cdc.epoch_micros(text, unit)}, time) }}
{%- endmacro %}
