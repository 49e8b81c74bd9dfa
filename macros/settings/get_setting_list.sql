{#
  Returns the value of a setting that is a list. Raises an error if it is anything else.

  Arguments:
    setting (string): the name of the setting.
    valid (string): what the list contains, for the error.
    hint (string): an example, for the error.

  Returns: a list, empty if the setting is not set.
#}
{% macro get_setting_list(setting, valid, hint) %}
    {%- set value = kafka_cdc.get_setting(setting) -%}
    {%- if value is string or value is mapping or value is not iterable -%}
        {{ kafka_cdc.raise_setting_error(setting=setting, value=value, valid=valid, hint=hint) }}
    {%- endif -%}
    {{ return(value) }}
{% endmacro %}
