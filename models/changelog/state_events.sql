-- One row per event that rows may still come from (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index): those in
-- base_events, and all events of the landing batches that are not merged.
-- depends_on: {{ ref('changelog') }}
-- depends_on: {{ ref('stream_profiles') }}
{% set columns = get_event_columns().keys() | join(',\n    ') -%}
{%- set coverage = get_base_coverage(ref('events'), get_version(ref('base_events'), is_published=true), is_published=true) -%}
select
    {{ columns }}
from {{ published(ref('events')) }}
{%- if coverage.holds %}
where {{ is_in_batches(coverage.tail) }}
union all
select
    {{ columns }}
from {{ published(ref('base_events')) }}
where event_kind <> 'merged'
{%- endif %}
