-- One row per event that can still affect a row (kafka_topic, topic_incarnation, kafka_partition, kafka_offset,
-- row_index): those in compacted_events, and all events of the landing batches that are not compacted yet.
-- depends_on: {{ ref('changelog') }}
-- depends_on: {{ ref('event_batch_stats') }}
{% set columns = kafka_cdc.get_event_columns().keys() | join(',\n    ') -%}
{%- set compacted = kafka_cdc.get_versioned_relation(ref('compacted_events'), is_published=true) -%}
{%- set coverage = kafka_cdc.get_compaction_coverage(ref('events'), compacted, is_published=true) -%}
select
    {{ columns }}
from {{ kafka_cdc.published_relation(ref('events')) }}
{%- if coverage.is_valid %}
where {{ kafka_cdc.in_batches_condition(coverage.pending_batches) }}
union all
select
    {{ columns }}
from {{ kafka_cdc.published_relation(ref('compacted_events')) }}
where event_kind <> 'merged'
{%- endif %}
