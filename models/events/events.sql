-- One row per thing that a message says (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index).
-- The only table that parses payloads: the formats of the landing batches at hand in one pass over them, each batch replaced as
-- a whole in one commit, so that runs that meet, die or repeat leave each event once.
{{ config(**kafka_cdc.get_batch_table_config(bounds=['kafka_offset', 'landed_at'])) }}
-- The staging views read the same messages in the same way, each for one format:
{%- for format in kafka_cdc.get_package_formats() %}
-- depends_on: {{ ref('stg_' ~ format ~ '__events') }}
{%- endfor %}
{%- do kafka_cdc.add_new_columns(this, kafka_cdc.get_event_columns()) %}
{% set batches = kafka_cdc.get_pending_batches(this) -%}
{%- do kafka_cdc.delete_relanded_batches(this) -%}
{% if batches == [] -%}
-- Nothing has landed since the last run.
select *
from {{ this }}
where false
{%- else -%}
{{ kafka_cdc.select_with_events_missing_in_raw(this, kafka_cdc.select_without_erased_rows(this, kafka_cdc.select_flattened_messages(kafka_cdc.get_pending_formats(batches), kafka_cdc.landed_messages_ctes(batches)), batches), batches) }}
{%- endif %}
