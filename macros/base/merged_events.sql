{#
  Prints the SELECT of base_events anew: what it holds (base) and the events since, or all events where it no longer holds, without those that
  rows cannot come from any more; and the batches that are then merged. coverage: of get_base_coverage, of the same snapshots. in_ranges: as for kept_events.
#}
{% macro merged_events(events, base, coverage, in_ranges=true) -%}
{%- set columns = get_event_columns().keys() | join(', ') -%}
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
    where {{ is_in_batches(coverage.tail) }}
    {%- endif %}
),

needed_events as (
    {{ kept_events('known_events', coverage.keeps_all, in_ranges) | indent(4) }}
)

select
    {{ get_event_columns().keys() | join(',\n    ') }},
    cast(null as bigint) as merged_version
from needed_events
union all
select
    {%- for column, type in get_event_columns().items() %}
    {{ "'merged'" if column == 'event_kind' else column if column == 'landing_batch' else 'cast(null as ' ~ type ~ ')' }} as {{ column }},
    {%- endfor %}
    merged_version
from ({{ written_batches(events, coverage.snapshot, coverage.keeps_all) | indent(4) }}) as merged_batches
{%- endmacro %}
