-- One row per thing that a message contains (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index).
-- The only table that parses payloads: one pass over the pending landing batches for all of their formats. Each batch is
-- replaced as a whole in one commit, so concurrent, interrupted and repeated runs leave each event once.
{{ config(**kafka_cdc.get_batch_table_config(
    pre_hooks=[
        '{{ kafka_cdc.add_new_columns(this, kafka_cdc.get_event_columns()) }}',
        '{{ kafka_cdc.delete_relanded_batches(this) }}',
    ],
    bounds=['kafka_offset', 'landed_at'],
)) }}
-- depends_on: {{ ref('kafka_cdc', 'recognized_messages') }}
{% set batches = kafka_cdc.get_pending_batches(this) -%}
{% if batches == [] -%}
{%- do kafka_cdc.record_nothing_to_write(this) -%}
-- No message has landed since the last run.
select *
from {{ this }}
where false
{%- else -%}
{%- set events = kafka_cdc.select_events_of_batches(batches) -%}
{%- set events = kafka_cdc.select_without_erased_rows(this, events, batches) -%}
{{ kafka_cdc.select_with_events_missing_in_raw(this, events, batches) }}
{%- endif %}
