{#
  Warns of every topic that is silent for too long, or whose messages land too late; or fails.

  `expect` of an entry in topics sets the limits, and by its action whether a topic warns or fails.
  Without max_silence, a topic warns if it is silent for far longer than its own history explains.

  Arguments:
    model (relation): the model topic_expectations.
    action (string): which topics, warn or fail.
#}
{% test topics_meet_expectations(model, action='warn') %}
{{ config(severity='error' if action == 'fail' else 'warn') }}
{% set actions = kafka_cdc.get_topic_settings() | map(attribute='expect') | select | map(attribute='action') | list -%}
{%- if action == 'fail' and 'fail' not in actions -%}
-- No topic has the action fail.
select cast(null as string) as finding
where false
{%- else -%}
select explode(findings) as finding
from {{ model }}
where action = '{{ action }}'
order by finding
{%- endif %}
{% endtest %}
