-- One row per DDL message (kafka_topic, topic_incarnation, kafka_partition, kafka_offset). A TRUNCATE is a change, not DDL.
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
    operation,
    operation_code,
    occurred_at,
    emitted_at,
    source_sequence,
    ddl_text,
    ddl_tables
from {{ ref('kafka_cdc', 'events') }}
where event_kind = 'ddl'
