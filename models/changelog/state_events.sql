-- One row per event that rows may still come from (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index): those in
-- base_events, and all events of the landing batches that are not merged.
-- depends_on: {{ ref('changelog') }}
-- depends_on: {{ ref('stream_profiles') }}
{% set columns = get_event_columns().keys() | join(',\n    ') -%}
{%- set held = ref('base_events') if load_relation(ref('base_events')) is not none and get_published_snapshot(ref('base_events')) is not none -%}
{%- set base = get_base(ref('events'), published(held) if held else none) -%}
select
    {{ columns }}
from {{ published(ref('events')) }}
{%- if base.is_whole %}
where {{ is_in_tail(base) }}
union all
select
    {{ columns }}
from {{ published(ref('base_events')) }}
where event_kind <> 'merged'
{%- endif %}
