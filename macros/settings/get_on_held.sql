{#
  Returns the setting `on_held`, checked: warn or fail.

  It decides whether a build with held tables succeeds. Other tables are published in both cases.
#}
{% macro get_on_held() %}
    {{ return(kafka_cdc.get_choice_setting('on_held', ['warn', 'fail'])) }}
{% endmacro %}
