{#
  Returns the setting `check_chains`, checked: off, warn or hold.

  off: no chains are checked. warn: a build warns of broken chains. hold: their tables are held.
#}
{% macro get_check_chains() %}
    {%- set value = var('check_chains', 'off') -%}
    {#- YAML reads a bare off as false. -#}
    {%- set value = 'off' if value is boolean and not value else value -%}
    {%- if value not in ['off', 'warn', 'hold'] -%}
        {{ kafka_cdc.raise_setting_error(
            setting='check_chains',
            value=value,
            valid='off, warn, hold',
            hint='write the value exactly as listed'
        ) }}
    {%- endif -%}
    {{ return(value) }}
{% endmacro %}
