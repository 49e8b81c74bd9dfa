-- One row per row change (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index), a truncate being one.
-- Made after the tests on events, stream_profiles, sequence_resets and base_events, it publishes what they have passed.
-- depends_on: {{ ref('stream_profiles') }}
-- depends_on: {{ ref('sequence_resets') }}
-- depends_on: {{ ref('base_events') }}
{%- do publish_tested([ref('stream_profiles'), ref('events'), ref('base_events')]) %}
select * except (event_kind, ddl_text, reject_code, reject_detail, snapshot_mark)
from {{ published(ref('events')) }}
where event_kind = 'change'
