{#
  Prints an expression: a date and time without a zone (timestamp_ntz) from an epoch.

  The epoch counts the date and time as if it were UTC. The result is null if the text is not a
  number or is more precise than microseconds. It is also null if the year is outside 1 to 9999.

  Arguments:
    text (string): SQL of the text.
    unit (string): `s`, `ms`, `us` or `ns`.
#}
{% macro decode_epoch_timestamp_ntz(text, unit) -%}
    {%- set timestamp -%}
    if(
        micros between -62135596800000000 and 253402300799999999,
        timestampadd(microsecond, micros, timestamp_ntz'1970-01-01 00:00:00'),
        null
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({'micros': kafka_cdc.epoch_micros(text, unit)}, timestamp) }}
{%- endmacro %}
