{#
  Prints an expression: an instant (timestamp) from an epoch, the time since 1970-01-01 in UTC.

  The result is null if the text is not a number or is more precise than microseconds. It is also
  null if the year is outside 1 to 9999.

  Arguments:
    text (string): SQL of the text.
    unit (string): `s`, `ms`, `us` or `ns`.
#}
{% macro decode_epoch_timestamp(text, unit) -%}
    {{ kafka_cdc.sql_let(
        {'micros': kafka_cdc.epoch_micros(text, unit)},
        'if(micros between -62135596800000000 and 253402300799999999, timestamp_micros(micros), null)'
    ) }}
{%- endmacro %}
