{#
  Returns the setting `on_held`, checked: warn or fail.

  It decides whether a build with held tables succeeds. Other tables are published in both cases.
#}
{% macro get_on_held() %}
    {%- set value = var('on_held', 'warn') -%}
    {%- if value not in ['warn', 'fail'] -%}
        {{ kafka_cdc.raise_setting_error(
            setting='on_held',
            value=value,
            valid='warn, fail',
            hint='write the value exactly as listed'
        ) }}
    {%- endif -%}
    {{ return(value) }}
{% endmacro %}
