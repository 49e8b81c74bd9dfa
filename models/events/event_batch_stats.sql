-- One row per landing batch, Kafka partition, stream and source table (landing_batch, kafka_topic, topic_incarnation, kafka_partition,
-- source_format, source_name, source_tenant, source_database, source_schema, source_table): what the events say, in sum.
-- Small: tests and monitoring read it where they would have to read every event. Each batch replaced as a whole, like events.
{{ config(**kafka_cdc.get_batch_table_config()) }}
{%- do kafka_cdc.add_new_columns(this, dict.fromkeys(kafka_cdc.get_event_counts(), 'bigint')) %}
{% set batches = kafka_cdc.get_batches_to_summarize(ref('events'), this) -%}
{%- if batches == {} -%}
-- Nothing was read since the last run.
select *
from {{ this }}
where false
{%- else -%}
with profiles as (
    {{ kafka_cdc.select_event_statistics(ref('events'), batches) | indent(4) }}
),

table_columns as (
    {{ kafka_cdc.select_column_statistics(ref('events'), batches) | indent(4) }}
)

select
    profiles.*,
    table_columns.columns
from profiles
left join table_columns using ({{ kafka_cdc.get_stream_columns() | join(', ') }})
{%- endif %}
