{# Fails where base_events, merged anew and not yet published, holds an event of a batch, or a merged batch, twice. model: base_events. #}
{% test merged_events_are_there_once(model) %}
{%- set place = get_coordinates() | join(', ') ~ ', landing_batch' %}
select concat('held ', count(*), ' times in base_events: ', to_json(struct({{ place }}))) as finding
from {{ model }}
{%- if execute and get_newest_snapshot(model) == get_published_snapshot(model) %}
-- Published: tested before.
where false
{%- endif %}
group by {{ place }}
having count(*) > 1
{% endtest %}
