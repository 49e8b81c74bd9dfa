{# Fails where compacted_events, merged anew and not yet published, holds an event of a batch, or a merged batch, twice. model: compacted_events. #}
{% test compacted_events_are_unique(model) %}
{%- set place = kafka_cdc.get_coordinates() | join(', ') ~ ', landing_batch' %}
select concat('held ', count(*), ' times in compacted_events: ', to_json(struct({{ place }}))) as finding
from {{ model }}
{%- if execute and kafka_cdc.get_latest_version(model) == kafka_cdc.get_published_version(model) %}
-- Published: tested before.
where false
{%- endif %}
group by {{ place }}
having count(*) > 1
{% endtest %}
