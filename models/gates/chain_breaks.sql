-- One row per checked landing batch (break_kind checked), and one per source table, kind of break, columns and proposed
-- cause in it (landing_batch, source_name, source_tenant, source_database, source_schema, source_table, break_kind,
-- different_columns, proposed_cause). A run checks the rows that its landing batches changed, and reads no history.
{{ config(**kafka_cdc.get_batch_table_config(pre_hooks=[], has_topics=false)) }}
{% set is_off = kafka_cdc.get_check_chains() == 'off'
    and not kafka_cdc.has_table_setting('check_chains', ['warn', 'hold']) -%}
{%- set batches = {} if is_off else kafka_cdc.get_batches_to_summarize(ref('kafka_cdc', 'events'), this) -%}
{%- if load_relation(this) is not none and batches == {} -%}
{%- do kafka_cdc.record_nothing_to_write(this) -%}
-- No event was written since the last run, or no chains are checked (setting check_chains).
select *
from {{ this }}
where false
{%- else -%}
{%- set is_first = load_relation(this) is none and not is_off -%}
{%- set checked_batches = [] if is_off or batches is none else batches.keys() | list -%}
{%- set coordinates = 'struct<kafka_topic: string, topic_incarnation: int, kafka_partition: int, '
    ~ 'kafka_offset: bigint, row_index: int>' -%}
{%- set columns = dict.fromkeys(kafka_cdc.get_table_columns(), 'string') -%}
{%- do columns.update({
    'break_kind': 'string',
    'different_columns': 'array<string>',
    'proposed_cause': 'string',
    'is_alarm': 'boolean',
    'changes': 'bigint',
    'first_change': coordinates,
    'last_change': coordinates,
    'example_row_key': 'string',
    'example_before': 'string',
    'example_state': 'string',
}) -%}
{%- set values = [] -%}
{%- for column, type in columns.items() -%}
{%- set value = {'break_kind': "'checked'", 'is_alarm': 'false'}.get(column, 'cast(null as ' ~ type ~ ')') -%}
{%- do values.append(value ~ ' as ' ~ column) -%}
{%- endfor -%}
{%- set suspected_rows = [] -%}
{%- if not is_off -%}
{%- set merged = kafka_cdc.get_model_relation('merged_rows') -%}
{%- set merged_version = kafka_cdc.get_versioned_relation(merged) if merged is not none -%}
{%- set coverage = kafka_cdc.get_merge_coverage(ref('kafka_cdc', 'events'), merged_version, []) -%}
{#- Of a merged batch only the last change of each row is known. If it is checked again, all events are read. -#}
{%- if is_first or batches is none or batches.keys() | reject('in', coverage.pending_batches) | list -%}
    {%- do coverage.update({'is_valid': false}) -%}
{%- endif -%}
{%- set relations = {
    'events': ref('kafka_cdc', 'events'),
    'event_batch_stats': ref('kafka_cdc', 'event_batch_stats'),
} -%}
{%- set batches_to_check = none if is_first else checked_batches -%}
{%- set changes = kafka_cdc.get_checked_changes(ref('kafka_cdc', 'event_batch_stats'), batches_to_check) -%}
{%- set facts = kafka_cdc.get_stream_facts(ref('kafka_cdc', 'event_batch_stats')) -%}
{%- set suspected_rows = [] if batches_to_check == [] else kafka_cdc.get_suspected_rows(
    relations=relations,
    batches=batches_to_check,
    facts=facts,
    merged=merged_version,
    coverage=coverage,
    changes=changes
) -%}
{%- endif -%}
with {% if suspected_rows != [] -%}
chain_breaks as (
    {{ kafka_cdc.select_chain_breaks(
        relations=relations,
        batches=batches_to_check,
        facts=facts,
        merged=merged_version,
        coverage=coverage,
        has_few_keys=changes.has_few_keys,
        suspected_rows=suspected_rows
    ) | indent(4) }}
),

{% endif -%}
checked_batches as (
    select distinct
        landing_batch,
        {{ kafka_cdc.events_version(batches) | indent(8) }} as events_version
    from {{ ref('kafka_cdc', 'event_batch_stats') }}
    where {{ 'true' if is_first else kafka_cdc.in_batches_condition(checked_batches) }}
)

{% if suspected_rows != [] -%}
select
    checked_batches.landing_batch,
    checked_batches.events_version,
    chain_breaks.{{ columns.keys() | join(',\n    chain_breaks.') }}
from checked_batches
inner join chain_breaks using (landing_batch)
union all
{% endif -%}
select
    landing_batch,
    events_version,
    {{ values | join(',\n    ') }}
from checked_batches
{%- endif %}
