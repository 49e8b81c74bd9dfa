-- One row per source table whose publication is held and finding about it (source_name, source_tenant, source_database,
-- source_schema, source_table, check_name, finding). Public models withhold the events of these tables that were not
-- published when the hold began. It is published together with the events.
{{ config(
    materialized='incremental_skip_empty',
    incremental_strategy='insert_overwrite',
    pre_hook='{{ kafka_cdc.delete_ended_holds(this) }}',
    post_hook=['{{ kafka_cdc.record_tested_version(this) }}', '{{ kafka_cdc.record_checked_falls(this) }}'],
    full_refresh=false,
    on_schema_change='append_new_columns',
    tblproperties=kafka_cdc.get_table_properties(has_topics=false),
) }}
{% set relations = {
    'events': ref('kafka_cdc', 'events'),
    'event_batch_stats': ref('kafka_cdc', 'event_batch_stats'),
    'sequence_resets': ref('kafka_cdc', 'sequence_resets'),
    'outdated_topic_mappings': ref('kafka_cdc', 'outdated_topic_mappings'),
    'chain_breaks': ref('kafka_cdc', 'chain_breaks'),
} -%}
{%- set has_renames = kafka_cdc.has_table_setting('on_rename', ['apply'])
    and kafka_cdc.get_stream_facts(ref('kafka_cdc', 'event_batch_stats')).renames -%}
{%- set table_renames = kafka_cdc.select_table_renames(
    ref('kafka_cdc', 'events'),
    ref('kafka_cdc', 'event_batch_stats')
) if has_renames -%}
{%- set published_holds = kafka_cdc.get_versioned_relation(this, is_published=true) -%}
{%- set checks = kafka_cdc.get_checks(relations, published_holds) -%}
{%- set findings = kafka_cdc.select_findings(checks) -%}
{%- set is_healthy = not checks and flags.WHICH in ['run', 'build'] and load_relation(this) is not none
    and not kafka_cdc.get_holds(this) -%}
{% if is_healthy -%}
{%- do kafka_cdc.record_nothing_to_write(this) -%}
-- No check can find anything.
select *
from {{ this }}
where false
{%- else -%}
{%- set has_several_partitions = execute
    and kafka_cdc.get_table_facts(ref('kafka_cdc', 'event_batch_stats')).several_partitions -%}
{%- set unchecked_batches = kafka_cdc.get_batches_with_unchecked_keys(ref('kafka_cdc', 'events'))
    if has_several_partitions else none -%}
{%- if unchecked_batches is not none -%}
{%- set findings = kafka_cdc.select_findings(kafka_cdc.get_checks(relations, published_holds, unchecked_batches)) -%}
{%- endif -%}
{%- set query = kafka_cdc.select_table_holds(
    findings=findings,
    table_renames=table_renames,
    published_holds=published_holds,
    last_published_batch=kafka_cdc.get_last_published_batch(ref('kafka_cdc', 'events')),
    unpublished_batches=kafka_cdc.get_unpublished_batches(ref('kafka_cdc', 'events')),
    batch_stats=ref('kafka_cdc', 'event_batch_stats'),
    published_stats=kafka_cdc.get_versioned_relation(ref('kafka_cdc', 'event_batch_stats'), is_published=true)
) -%}
{%- set difference = kafka_cdc.compare_holds(this, query) -%}
{%- if difference != 'changed' -%}
{%- do kafka_cdc.record_nothing_to_write(this) -%}
{%- endif -%}
{%- if difference in ['none', 'ended'] -%}
{%- do kafka_cdc.record_checked_keys(ref('kafka_cdc', 'events')) -%}
{%- endif -%}
{%- if difference == 'ended' -%}
{%- do kafka_cdc.get_run_memory().setdefault('ended_holds', []).append(this | string) -%}
{%- endif -%}
{{ query }}
{%- endif %}
