-- One row per live row of a source table (source_name … source_table, row_key).
select
    source_name,
    source_tenant,
    source_database,
    source_schema,
    source_table,
    row_key,
    row_values,
    column_types,
    last_operation,
    occurred_at,
    sequence_generation,
    source_sequence,
    kafka_topic,
    topic_incarnation,
    kafka_partition,
    kafka_offset,
    row_index,
    incomplete_columns
from {{ ref('kafka_cdc', 'current_rows') }}
where not is_deleted
