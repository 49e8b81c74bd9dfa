{#
  Returns the value of a setting that is one of several words. Raises an error if it is anything else.

  Arguments:
    setting (string): the name of the setting.
    valid (list[string]): the words. The first one is the default.

  Returns: string.
#}
{% macro get_choice_setting(setting, valid) %}
    {%- set value = var(setting, valid[0]) -%}
    {#- YAML reads a bare off as false. -#}
    {%- set value = 'off' if value is boolean and not value else value -%}
    {%- if value not in valid -%}
        {{ kafka_cdc.raise_setting_error(
            setting=setting,
            value=value,
            valid=valid | join(', '),
            hint='write the value exactly as listed'
        ) }}
    {%- endif -%}
    {{ return(value) }}
{% endmacro %}
