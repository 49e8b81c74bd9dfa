{#
  Prints a SELECT: a finding for each topic that is silent for too long, or whose messages land too late.

  `expect` of an entry in topics sets the limits. Without max_silence, a topic warns if it is silent
  for far longer than its own history explains.

  Arguments:
    topic_expectations (relation): the model of that name.
    action (string): which topics, warn or fail.
#}
{% macro select_unmet_expectations(topic_expectations, action='warn') -%}
select explode(findings) as finding
from {{ topic_expectations }}
where action = '{{ action }}'
{%- endmacro %}
