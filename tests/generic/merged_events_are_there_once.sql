{# Fails where base_events, merged anew and not yet published, holds an event or a merged batch twice. model: base_events. #}
{% test merged_events_are_there_once(model) %}
{%- set place = get_coordinates() | join(', ') -%}
select concat('held ', count(*), ' times in base_events: ', to_json(struct({{ place }}, batch))) as finding
from (
    select
        *,
        if(event_kind = 'merged', landing_batch, null) as batch
    from {{ model }}
) as held
{%- if execute and get_newest_snapshot(model) == get_published_snapshot(model) %}
-- Published: tested before.
where false
{%- endif %}
group by {{ place }}, batch
having count(*) > 1
{% endtest %}
