{#
  Prints an expression: the time at which the source changed, in a message of Debezium.

  Debezium before 0.10 has ts_sec, or ts_usec in microseconds or nanoseconds. Zero is no time.

  Arguments:
    source (string): SQL of the struct `source` of the message.
#}
{% macro debezium_change_time(source) -%}
    {%- set micros = 'regexp_extract(' ~ source ~ ".ts_usec, r'^([0-9]{16})(?:[0-9]{3})?\\z', 1)" -%}
    coalesce(
        {{ kafka_cdc.epoch_timestamp('nullif(' ~ source ~ ".ts_ms, '0')") | indent(8) }},
        {{ kafka_cdc.epoch_timestamp('nullif(' ~ source ~ ".ts_sec, '0')", 's') | indent(8) }},
        {{ kafka_cdc.epoch_timestamp(micros, 'us') | indent(8) }}
    )
{%- endmacro %}
