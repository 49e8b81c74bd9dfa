{#
  Prints SQL for a date and time on no clock in particular (timestamp_ntz) from an epoch in s, ms, us or ns that counts it as if it
  were UTC. Null where the text is no number, says more than whole microseconds, or lies outside the years 1 to 9999.
#}
{% macro decode_epoch_timestamp_ntz(text, unit) -%}
    {{ kafka_cdc.sql_let(
        {'micros': kafka_cdc.epoch_micros(text, unit)},
        "if(micros between -62135596800000000 and 253402300799999999, timestampadd(microsecond, micros, timestamp_ntz'1970-01-01 00:00:00'), null)"
    ) }}
{%- endmacro %}
