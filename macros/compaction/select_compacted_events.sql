{#
  Prints a SELECT: the new content of compacted_events, with a fingerprint per batch.

  It reads the present content and the pending batches. If the coverage is not valid, it reads all
  events instead. Changes that can no longer affect any row are left out.

  Arguments:
    events (relation): the model events.
    compacted (optional[string]): SQL of compacted_events at the version of the coverage; none if it
      has none.
    coverage (dict[string, any]): from get_compaction_coverage.
    holds (list[dict[string, any]]): the held tables, from get_holds.
    in_ranges (boolean): whether to write the events in ranges of tables and row keys, see
      select_retained_events.
#}
{% macro select_compacted_events(events, compacted, coverage, holds, in_ranges=true) -%}
{%- set columns = kafka_cdc.get_event_columns().keys() | join(', ') -%}
{%- set retained_events = kafka_cdc.select_retained_events(
    'candidate_events',
    coverage.full_history_condition,
    holds,
    in_ranges
) -%}
{%- set fingerprints = kafka_cdc.select_batch_fingerprints(
    events,
    coverage.version,
    coverage.full_history_condition
) -%}
with candidate_events as (
    {%- if coverage.is_valid %}
    select {{ columns }}
    from {{ compacted }}
    where event_kind <> 'merged'
    union all
    {%- endif %}
    select {{ columns }}
    from {{ events }} version as of {{ coverage.version }}
    {%- if coverage.is_valid %}
    where {{ kafka_cdc.in_batches_condition(coverage.pending_batches) }}
    {%- endif %}
),

retained_events as (
    {{ retained_events | indent(4) }}
)

select
    {{ kafka_cdc.get_event_columns().keys() | join(',\n    ') }},
    cast(null as bigint) as merged_version
from retained_events
union all
-- one row per compacted batch, with its fingerprint
select
    {%- for column, type in kafka_cdc.get_event_columns().items() %}
    {%- if column == 'event_kind' %}
    'merged' as {{ column }},
    {%- elif column == 'landing_batch' %}
    landing_batch as {{ column }},
    {%- else %}
    cast(null as {{ type }}) as {{ column }},
    {%- endif %}
    {%- endfor %}
    merged_version
from (
    {{ fingerprints | indent(4) }}
) as compacted_batches
{%- endmacro %}
