{#
  Prints an expression: a value of `expect` of the first line of topics that matches a topic, or null.

  Arguments:
    settings (list[dict[string, any]]): the setting, from get_topic_settings.
    name (string): the key of `expect`, such as max_lag.
    type (string): the type of the value in SQL.

  Requires: the column `kafka_topic`.
#}
{% macro topic_expectation(settings, name, type='bigint') -%}
    {%- set cases = [] -%}
    {%- for setting in settings -%}
        {%- set expected = (setting.expect or {}).get(name) -%}
        {%- set value = kafka_cdc.sql_literal(none if expected is none else expected | string) -%}
        {%- do cases.append('when ' ~ kafka_cdc.globs_condition('kafka_topic', setting.topic) ~ ' then ' ~ value) -%}
    {%- endfor -%}
    cast({% if cases %}case {{ cases | join('\n    ') }} end{% else %}null{% endif %} as {{ type }})
{%- endmacro %}
