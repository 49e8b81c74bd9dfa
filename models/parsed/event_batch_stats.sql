-- One row per landing batch, Kafka partition, stream and source table (landing_batch, kafka_topic, topic_incarnation,
-- kafka_partition, source_format, source_name, source_tenant, source_database, source_schema, source_table): counts and bounds
-- of its events. It is small: tests and monitoring read it instead of every event. Each batch is replaced as a whole.
{{ config(**kafka_cdc.get_batch_table_config(
    pre_hooks=["{{ kafka_cdc.add_new_columns(this, dict.fromkeys(kafka_cdc.get_event_counts(), 'bigint')) }}"],
)) }}
{% set batches = kafka_cdc.get_batches_to_summarize(ref('kafka_cdc', 'events'), this) -%}
{%- if batches == {} -%}
{%- do kafka_cdc.record_nothing_to_write(this) -%}
-- No event was written since the last run.
select *
from {{ this }}
where false
{%- else -%}
with profiles as (
    {{ kafka_cdc.select_event_statistics(ref('kafka_cdc', 'events'), batches) | indent(4) }}
),

table_columns as (
    {{ kafka_cdc.select_column_statistics(ref('kafka_cdc', 'events'), batches) | indent(4) }}
)

select
    profiles.*,
    table_columns.columns
from profiles
left join table_columns using ({{ kafka_cdc.get_stream_columns() | join(', ') }})
{%- endif %}
