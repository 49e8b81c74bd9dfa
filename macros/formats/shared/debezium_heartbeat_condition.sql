{#
  Prints a condition: the message contains nothing but times, as a Debezium heartbeat does.

  Requires: column `value`.
#}
{% macro debezium_heartbeat_condition() -%}
    size(array_except(
        json_object_keys(coalesce(get_json_object(value, '$.payload'), value)),
        array('ts_ms', 'ts_us', 'ts_ns')
    )) = 0
{%- endmacro %}
