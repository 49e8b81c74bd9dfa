{#
  Prints SQL for a time of day or a span, as text HH:mm:ss[.f], from a count since midnight in ms, us or ns, negative ones too; null
  where the text is no number or says more than whole microseconds.
#}
{% macro decode_epoch_time(text, unit) -%}
    {%- set time -%}
    if(micros is null, null, regexp_replace(
        concat(if(micros < 0, '-', ''), format_string(
            '%02d:%02d:%02d.%06d',
            abs(micros) div 3600000000, abs(micros) div 60000000 % 60, abs(micros) div 1000000 % 60, abs(micros) % 1000000
        )),
        '[.]?0*$', ''
    ))
    {%- endset -%}
    {{ kafka_cdc.sql_let({'micros': kafka_cdc.epoch_micros(text, unit)}, time) }}
{%- endmacro %}
