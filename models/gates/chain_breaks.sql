-- One row per checked landing batch (break_kind checked), and one per source table, kind of break, columns and proposed
-- cause in it (landing_batch, source_name, source_tenant, source_database, source_schema, source_table, break_kind,
-- different_columns, proposed_cause). A run checks the rows that its landing batches changed, and reads no history.
{{ config(**kafka_cdc.get_batch_table_config(pre_hooks=[])) }}
{% set batches = kafka_cdc.get_batches_to_summarize(ref('events'), this) -%}
{%- set is_off = kafka_cdc.get_check_chains() == 'off'
    and not kafka_cdc.has_table_setting('check_chains', ['warn', 'hold']) -%}
{%- if batches == {} or is_off and load_relation(this) is not none -%}
{%- do kafka_cdc.record_nothing_to_write(this) -%}
-- No event was written since the last run, or no chains are checked (setting check_chains).
select *
from {{ this }}
where false
{%- else -%}
{%- set compacted = kafka_cdc.get_model_relation('compacted_events') -%}
{%- set compacted_version = kafka_cdc.get_versioned_relation(compacted) if compacted is not none -%}
{%- set coverage = kafka_cdc.get_compaction_coverage(ref('events'), compacted_version) -%}
{#- A compacted batch no longer has its superseded changes. If it is checked again, all events are read. -#}
{%- set compacted_batches = (batches or {}).keys() | reject('in', coverage.pending_batches) | list -%}
{%- if load_relation(this) is none or batches is none or compacted_batches -%}
    {%- do coverage.update({'is_valid': false}) -%}
{%- endif -%}
{%- set chain_breaks = kafka_cdc.select_chain_breaks(
    relations={
        'events': ref('events'),
        'event_batch_stats': ref('event_batch_stats'),
        'offset_gaps': ref('offset_gaps'),
    },
    batches=none if load_relation(this) is none else batches,
    facts=kafka_cdc.get_stream_facts(ref('event_batch_stats')),
    compacted=compacted_version,
    coverage=coverage
) -%}
with chain_breaks as (
    {{ chain_breaks | indent(4) }}
),

checked_batches as (
    select distinct
        landing_batch,
        {{ kafka_cdc.events_version(batches) | indent(8) }} as events_version
    from {{ ref('event_batch_stats') }}
    where {{ 'true' if batches is none else kafka_cdc.in_batches_condition(batches.keys() | list) }}
)

select
    checked_batches.landing_batch,
    checked_batches.events_version,
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    break_kind,
    different_columns,
    proposed_cause,
    is_alarm,
    changes,
    first_change,
    last_change,
    example_row_key,
    example_before,
    example_state
from checked_batches
inner join chain_breaks using (landing_batch)
union all
select
    landing_batch,
    events_version,
    {%- for column in kafka_cdc.get_table_columns() %}
    null,
    {%- endfor %}
    'checked',
    null,
    null,
    false,
    null,
    null,
    null,
    null,
    null,
    null
from checked_batches
{%- endif %}
