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
        max(landing_batch) as last_snapshot_batch
    from {{ batch_stats }}
    where snapshot_rows > 0
    group by {{ table }}
)

select
    chain_breaks.landing_batch,
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    chain_breaks.break_kind,
    chain_breaks.different_columns,
    chain_breaks.proposed_cause,
    chain_breaks.is_alarm,
    coalesce(last_snapshots.last_snapshot_batch > chain_breaks.landing_batch, false) as is_resolved,
    chain_breaks.changes,
    chain_breaks.first_change,
    chain_breaks.last_change,
    chain_breaks.example_row_key,
    chain_breaks.example_before,
    chain_breaks.example_state
from {{ chain_breaks }} as chain_breaks
left join last_snapshots using ({{ table }})
where chain_breaks.break_kind <> 'checked'
{%- endmacro %}
