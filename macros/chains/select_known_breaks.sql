{#
  Prints a SELECT: the rows of broken_chains, the breaks in the chains of rows.

  A break is resolved when a source snapshot of its table lands later, because the snapshot replaces
  the rows.

  Arguments:
    chain_breaks (relation): the model chain_breaks.
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_known_breaks(chain_breaks, batch_stats) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
with last_snapshots as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        max(landed_at) as landed_at,
        max(landing_batch) as landing_batch
    from {{ batch_stats }}
    where snapshot_rows > 0
    group by {{ table }}
),

known_breaks as (
    select *
    from {{ chain_breaks }}
    left join (
        select
            landing_batch,
            max(landed_at) as landed_at
        from {{ batch_stats }}
        group by landing_batch
    ) as batches using (landing_batch)
    where break_kind <> 'checked'
)

select
    known_breaks.landing_batch,
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    known_breaks.break_kind,
    known_breaks.different_columns,
    known_breaks.proposed_cause,
    known_breaks.is_alarm,
    {{ kafka_cdc.landed_earlier_condition('known_breaks.', 'last_snapshots.') }} as is_resolved,
    known_breaks.changes,
    known_breaks.first_change,
    known_breaks.last_change,
    known_breaks.example_row_key,
    known_breaks.example_before,
    known_breaks.example_state
from known_breaks
left join last_snapshots using ({{ table }})
{%- endmacro %}
