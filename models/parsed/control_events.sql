-- One row per message without row changes and DDL (kafka_topic, topic_incarnation, kafka_partition, kafka_offset):
-- heartbeats, transaction markers, tombstones and other messages of the vendor.
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
from {{ ref('kafka_cdc', 'events') }}
where event_kind not in ('change', 'ddl', 'rejected')
