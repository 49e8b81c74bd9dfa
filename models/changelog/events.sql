-- One row per thing that a message says (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index).
-- The only table that parses payloads: the formats of the landing batches at hand in one pass over them, each batch replaced as
-- a whole in one commit, so that runs that meet, die or repeat leave each event once.
{{ config(**get_batch_table_config(bounds=['kafka_offset', 'landed_at'])) }}
-- The staging views read the same messages in the same way, each for one format:
{%- for format in get_package_formats() %}
-- depends_on: {{ ref('stg_' ~ format ~ '__events') }}
{%- endfor %}
{%- do add_new_columns(this, get_event_columns()) %}
{% set batches = get_batches_at_hand(this) -%}
{%- do remove_moved_batches(this) -%}
{% if batches == [] -%}
-- Nothing has landed since the last run.
select *
from {{ this }}
where false
{%- else -%}
{{ with_lost_events(this, without_forgotten_rows(this, flatten_messages(get_formats_at_hand(batches), landed_messages(batches)), batches), batches) }}
{%- endif %}
