{#
  Prints an expression: an instant (timestamp) from a JSON object with its clock time and its zone.

  The object is {"location": "Asia/Shanghai", "value": "2024-02-29 10:00:00"}. The result is null for
  any other text, and if decode_timestamp returns null for the value followed by the location.

  Arguments:
    text (string): SQL of the text.
#}
{% macro decode_located_timestamp(text) -%}
    {{ kafka_cdc.sql_let({
        'located': 'from_json(' ~ text ~ ", 'location string, value string')",
        'clock_time': "concat(located.value, ' ', located.location)",
    }, kafka_cdc.decode_timestamp('clock_time')) }}
{%- endmacro %}
