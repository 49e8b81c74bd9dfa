-- One row per event that rows may still come from (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index), of the landing
-- batches that are merged, and one per merged batch (landing_batch, event_kind merged). It saves current_rows folding the whole history.
-- Merged anew, in one commit, when the events since then are many beside it (setting merge_share), or what was merged has changed.
{{ config(
    materialized='kept_incremental',
    incremental_strategy='insert_overwrite',
    post_hook='{{ note_snapshot(this) }}',
    full_refresh=false,
    on_schema_change='append_new_columns',
    tblproperties=get_table_properties(),
) }}
-- depends_on: {{ ref('stream_profiles') }}
-- depends_on: {{ ref('sequence_resets') }}
{% set base = get_version(this) -%}
{%- set coverage = get_base_coverage(ref('events'), base) -%}
{%- if not is_worth_a_merge(coverage, base) -%}
-- Little has come since the last merge.
select
    {{ get_event_columns().keys() | join(',\n    ') }},
    cast(null as bigint) as merged_version
from {{ ref('events') }}
where false
{%- else -%}
{{ merged_events(ref('events'), base, coverage, in_ranges=coverage.all_events > 1000000) }}
{%- endif %}
