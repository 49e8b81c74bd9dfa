{#
  Prints SQL for an instant (timestamp) from an epoch: the time since 1970-01-01 in UTC, in s, ms, us or ns. Null where the text is
  no number, says more than whole microseconds, or lies outside the years 1 to 9999.
#}
{% macro decode_epoch_timestamp(text, unit) -%}
    {{ kafka_cdc.sql_let(
        {'micros': kafka_cdc.epoch_micros(text, unit)},
        'if(micros between -62135596800000000 and 253402300799999999, timestamp_micros(micros), null)'
    ) }}
{%- endmacro %}
