{#
  Warns of everything about the streams that somebody should look at. Each finding is a sentence.

  Findings: new rejected messages, lost offsets, tables without a key, silent or late topics, topics
  that are now mapped differently, tombstones without a delete, statements without row events, broken
  chains, before events without after events, and rows that a snapshot lacks. See get_warnings.

  Arguments:
    model (relation): the model event_batch_stats.
#}
{% test streams_are_healthy(model) %}
{#- dbt passes a model of that name in the project that installs this one, if there is one. -#}
{%- set model = ref('kafka_cdc', 'event_batch_stats') -%}
{{ config(severity='warn') }}
{%- set relations = {'event_batch_stats': model, 'offsets': source('raw', 'kafka_messages_offsets')} -%}
{%- for name in [
    'events',
    'topic_expectations',
    'outdated_topic_mappings',
    'orphan_tombstones',
    'unreplicated_ddl_effects',
    'broken_chains',
    'split_updates',
    'stale_rows',
] -%}
    {%- do relations.update({name: ref('kafka_cdc', name)}) -%}
{%- endfor -%}
{%- for check in kafka_cdc.get_warnings(relations) %}
{{ 'union all' if not loop.first }}
select finding
from (
    {{ check | indent(4) }}
) as findings
{%- else %}
-- No check can find anything.
select cast(null as string) as finding
where false
{%- endfor %}
{% endtest %}
