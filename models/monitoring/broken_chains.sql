-- One row per break in the chains of a source table's rows in a landing batch (landing_batch, source_name,
-- source_tenant, source_database, source_schema, source_table, break_kind, different_columns, proposed_cause).
with {{ kafka_cdc.last_snapshots_cte(ref('event_batch_stats')) }}

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
from {{ ref('chain_breaks') }} as chain_breaks
left join last_snapshots using ({{ kafka_cdc.get_table_columns() | join(', ') }})
where chain_breaks.break_kind <> 'checked'
