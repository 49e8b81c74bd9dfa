{#
  Fails for every topic with `expect: {action: fail}` that is silent for too long, or whose messages land too late.

  The build fails, and still publishes. Topics with the action warn: see streams_are_healthy.

  Arguments:
    model (relation): the model topic_expectations.
#}
{% test topics_meet_expectations(model) %}
{#- dbt passes a model of that name in the project that installs this one, if there is one. -#}
{%- set model = ref('kafka_cdc', 'topic_expectations') -%}
{%- set actions = kafka_cdc.get_topic_settings() | map(attribute='expect') | select | map(attribute='action') | list %}
{%- if 'fail' in actions %}
{{ kafka_cdc.select_unmet_expectations(model, action='fail') }}
order by finding
{%- else %}
-- No topic has the action fail.
select cast(null as string) as finding
where false
{%- endif %}
{% endtest %}
