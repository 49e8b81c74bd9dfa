-- One row per row change (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index), a truncate being one.
-- Made after the tests on events, event_batch_stats, sequence_resets and compacted_events, it publishes what they have passed.
-- depends_on: {{ ref('event_batch_stats') }}
-- depends_on: {{ ref('sequence_resets') }}
-- depends_on: {{ ref('compacted_events') }}
{%- do kafka_cdc.publish_tested_versions([ref('event_batch_stats'), ref('events'), ref('compacted_events')]) %}
select * except (event_kind, ddl_text, reject_code, reject_detail, snapshot_mark)
from {{ kafka_cdc.published_relation(ref('events')) }}
where event_kind = 'change'
