-- One row per row change (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index), a truncate being one.
select * except (event_kind, ddl_text, reject_code, reject_detail)
from {{ ref('events') }}
where event_kind = 'change'
