-- One row per event that can still affect a row (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index)
-- of the compacted landing batches, and one row per compacted batch (landing_batch, event_kind merged). With it, current_rows
-- does not read the whole history. A build compacts again, in one commit, if there are enough new events (setting
-- compaction_threshold), or if the compacted batches have changed.
{{ config(
    materialized='incremental_skip_empty',
    incremental_strategy='insert_overwrite',
    post_hook='{{ kafka_cdc.record_tested_version(this) }}',
    full_refresh=false,
    on_schema_change='append_new_columns',
    meta={'expected_columns': kafka_cdc.get_event_columns().keys() | list},
    tblproperties=kafka_cdc.get_table_properties(),
) }}
-- depends_on: {{ ref('event_batch_stats') }}
{% set holds = kafka_cdc.get_holds_until_release(ref('table_holds')) -%}
{%- set base = kafka_cdc.get_compaction_base(this, holds) -%}
{%- set coverage = kafka_cdc.get_compaction_coverage(ref('events'), base) -%}
{%- if not kafka_cdc.should_compact(coverage, base) and base == kafka_cdc.get_versioned_relation(this) -%}
{%- do kafka_cdc.record_nothing_to_write(this) -%}
-- Few events arrived since the last compaction.
select
    {{ kafka_cdc.get_event_columns().keys() | join(',\n    ') }},
    cast(null as bigint) as merged_version
from {{ ref('events') }}
where false
{%- else -%}
{{ kafka_cdc.select_compacted_events(ref('events'), base, coverage, holds, in_ranges=coverage.all_events > 1000000) }}
{%- endif %}
