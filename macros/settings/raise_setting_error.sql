{#
  Raises an error of one line: a setting, its value, what is valid, and a hint.

  Arguments:
    setting (string): the path of the setting, such as topics[0].format.
    value (any): its value.
    valid (string): what is valid.
    hint (string): what to do.
#}
{% macro raise_setting_error(setting, value, valid, hint) %}
    {{ kafka_cdc.raise_error('the setting ' ~ setting ~ ' is ' ~ tojson(value) ~ '; valid: ' ~ valid, hint) }}
{% endmacro %}
