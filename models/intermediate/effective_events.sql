-- One row per event that rows may still come from (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index): those in
-- compacted_events, and all events of the landing batches that are not merged.
-- depends_on: {{ ref('changelog') }}
-- depends_on: {{ ref('event_batch_stats') }}
{% set columns = kafka_cdc.get_event_columns().keys() | join(',\n    ') -%}
{%- set coverage = kafka_cdc.get_compaction_coverage(ref('events'), kafka_cdc.get_versioned_relation(ref('compacted_events'), is_published=true), is_published=true) -%}
select
    {{ columns }}
from {{ kafka_cdc.published_relation(ref('events')) }}
{%- if coverage.holds %}
where {{ kafka_cdc.in_batches_condition(coverage.tail) }}
union all
select
    {{ columns }}
from {{ kafka_cdc.published_relation(ref('compacted_events')) }}
where event_kind <> 'merged'
{%- endif %}
