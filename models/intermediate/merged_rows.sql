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
{% set relations = {'events': ref('kafka_cdc', 'events'), 'batch_stats': ref('kafka_cdc', 'event_batch_stats')} -%}
{%- set merged = kafka_cdc.get_versioned_relation(this) -%}
{%- set holds = kafka_cdc.get_holds_until_release(ref('kafka_cdc', 'table_holds')) -%}
{%- set coverage = kafka_cdc.get_merge_coverage(ref('kafka_cdc', 'events'), merged, holds) -%}
{%- if not kafka_cdc.should_merge(coverage, merged) -%}
{%- do kafka_cdc.record_nothing_to_write(this) -%}
{%- set columns = [] -%}
{%- for column, type in kafka_cdc.get_merged_row_columns().items() -%}
{%- do columns.append('cast(null as ' ~ type ~ ') as ' ~ column) -%}
{%- endfor -%}
-- Few events arrived since the last merge.
select
    {{ columns | join(',\n    ') }}
where false
{%- else -%}
{#- A version that was not published may have failed its tests, and is no base. -#}
{%- set published = kafka_cdc.get_versioned_relation(this, is_published=true) -%}
{%- if published != merged -%}
{%- set merged = published -%}
{%- set coverage = kafka_cdc.get_merge_coverage(ref('kafka_cdc', 'events'), merged, holds) -%}
{%- endif -%}
{{ kafka_cdc.select_merged_rows(relations, merged, coverage) }}
{%- endif %}
