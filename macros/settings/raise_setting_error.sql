{#
  Raises an error of one line: a setting, its value, what is valid, and a hint.

  Arguments:
    setting (string): the path of the setting, such as topics[entry 1: drs_*].format.
    value (any): its value.
    valid (string): what is valid.
    hint (string): what to do.
#}
{% macro raise_setting_error(setting, value, valid, hint) %}
    {#- YAML has dates, also in lists. JSON has none. -#}
    {%- set has_dates = value is not string and 'datetime.' in ([value] | string) -%}
    {%- set text = tojson(value | string if has_dates else value) -%}
    {{ kafka_cdc.raise_error('the setting ' ~ setting ~ ' is ' ~ text ~ '; valid: ' ~ valid, hint) }}
{% endmacro %}
