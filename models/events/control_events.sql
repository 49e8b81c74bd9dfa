-- One row per message that says neither rows nor DDL (kafka_topic, topic_incarnation, kafka_partition, kafka_offset):
-- heartbeats, transaction marks, tombstones and what the vendor sends besides.
select
    kafka_topic,
    topic_incarnation,
    kafka_partition,
    kafka_offset,
    kafka_timestamp,
    landed_at,
    landing_batch,
    source_format,
    source_name,
    source_database_type,
    source_tenant,
    source_database,
    source_schema,
    source_table,
    event_kind,
    operation_code,
    occurred_at,
    emitted_at,
    source_sequence
from {{ ref('events') }}
where event_kind not in ('change', 'ddl', 'rejected')
