{#
  Prints a condition: the message contains nothing but times, as a Debezium heartbeat does.

  Requires: column `value`.
#}
{% macro debezium_heartbeat_condition() -%}
    {{ kafka_cdc.debezium_members_condition([]) }}
{%- endmacro %}
