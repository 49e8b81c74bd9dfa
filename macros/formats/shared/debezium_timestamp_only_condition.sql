{# Prints a condition: the message says a time and nothing else. #}
{% macro debezium_timestamp_only_condition() -%}
    size(array_except(json_object_keys(coalesce(get_json_object(value, '$.payload'), value)), array('ts_ms', 'ts_us', 'ts_ns'))) = 0
{%- endmacro %}
