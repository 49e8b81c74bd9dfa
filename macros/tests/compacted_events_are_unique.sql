{#
  Fails if compacted_events has an event of a batch, or a whole compacted batch, twice.

  A version of compacted_events that is already published is not tested again.

  Arguments:
    model (relation): the model compacted_events.
#}
{% test compacted_events_are_unique(model) %}
{%- set identity = kafka_cdc.get_coordinates() | join(', ') ~ ', landing_batch' %}
select concat(
    'an event is in compacted_events ', count(*), ' times: ', to_json(struct({{ identity }})),
    '. Run dbt build again; if the finding stays, report it'
) as finding
from {{ model }}
{%- if execute and kafka_cdc.get_latest_version(model, is_fresh=false) == kafka_cdc.get_published_version(model) %}
-- This version is published and was tested before.
where false
{%- endif %}
group by {{ identity }}
having count(*) > 1
{% endtest %}
