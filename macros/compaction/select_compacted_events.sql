{#
  Prints the SELECT of compacted_events anew: what it holds (base) and the events since, or all events where it no longer holds, without those that
  rows cannot come from any more; and the batches that are then merged. coverage: of get_compaction_coverage, of the same snapshots. in_ranges: as for select_retained_events.
#}
{% macro select_compacted_events(events, base, coverage, in_ranges=true) -%}
{%- set columns = kafka_cdc.get_event_columns().keys() | join(', ') -%}
with known_events as (
    {%- if coverage.holds %}
    select {{ columns }}
    from {{ base }}
    where event_kind <> 'merged'
    union all
    {%- endif %}
    select {{ columns }}
    from {{ events }} version as of {{ coverage.snapshot }}
    {%- if coverage.holds %}
    where {{ kafka_cdc.in_batches_condition(coverage.tail) }}
    {%- endif %}
),

needed_events as (
    {{ kafka_cdc.select_retained_events('known_events', coverage.keeps_all, in_ranges) | indent(4) }}
)

select
    {{ kafka_cdc.get_event_columns().keys() | join(',\n    ') }},
    cast(null as bigint) as merged_version
from needed_events
union all
select
    {%- for column, type in kafka_cdc.get_event_columns().items() %}
    {{ "'merged'" if column == 'event_kind' else column if column == 'landing_batch' else 'cast(null as ' ~ type ~ ')' }} as {{ column }},
    {%- endfor %}
    merged_version
from ({{ kafka_cdc.select_batch_fingerprints(events, coverage.snapshot, coverage.keeps_all) | indent(4) }}) as merged_batches
{%- endmacro %}
