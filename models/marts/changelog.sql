-- One row per row change (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index). A truncate is a change.
-- Its pre-hook publishes the tables together, after the tests on them and on sequence_resets have passed.
{{ config(pre_hook="{{ kafka_cdc.publish_tested_versions([ref('event_batch_stats'), ref('events'), ref('compacted_events')]) }}") }}
-- depends_on: {{ ref('event_batch_stats') }}
-- depends_on: {{ ref('sequence_resets') }}
-- depends_on: {{ ref('compacted_events') }}
{% set others = ['event_kind', 'ddl_text', 'reject_code', 'reject_detail', 'snapshot_mark'] -%}
select
    {{ kafka_cdc.get_event_columns() | reject('in', others) | join(',\n    ') }}
from {{ kafka_cdc.published_relation(ref('events')) }}
where event_kind = 'change'
