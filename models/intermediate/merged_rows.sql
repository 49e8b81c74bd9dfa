-- One row per row of a source table (source_name … source_table, row_key), deleted ones included, as of the merged landing
-- batches. Also one row per merged batch, per table that something emptied and per held table (row_kind). With it,
-- current_rows reads rows and no history. A build merges again, in one commit, if there are enough new events (setting
-- compaction_threshold), or if the merged batches have changed.
{{ config(
    materialized='incremental_skip_empty',
    incremental_strategy='insert_overwrite',
    post_hook='{{ kafka_cdc.record_tested_version(this) }}',
    full_refresh=false,
    on_schema_change='append_new_columns',
    tblproperties=kafka_cdc.get_table_properties(),
) }}
{% set relations = {'events': ref('events'), 'batch_stats': ref('event_batch_stats')} -%}
{#- A version that failed its tests is no base. It must be replaced, or this run would publish it. -#}
{%- set merged = kafka_cdc.get_versioned_relation(this, is_published=true) -%}
{%- set is_new = not execute or not kafka_cdc.has_table(this)
    or merged is none and kafka_cdc.get_latest_version(this) is none -%}
{%- set is_published = is_new
    or kafka_cdc.get_equivalent_version(this, kafka_cdc.get_published_version(this)) is not none -%}
{%- set holds = kafka_cdc.get_holds_until_release(ref('table_holds')) -%}
{%- set coverage = kafka_cdc.get_merge_coverage(ref('events'), merged, holds) -%}
{%- if not kafka_cdc.should_merge(coverage, merged) and is_published -%}
{%- do kafka_cdc.record_nothing_to_write(this) -%}
-- Few events arrived since the last merge.
select
    {%- for column, type in kafka_cdc.get_merged_row_columns().items() %}
    cast(null as {{ type }}) as {{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
where false
{%- else -%}
{{ kafka_cdc.select_merged_rows(relations, merged, coverage) }}
{%- endif %}
