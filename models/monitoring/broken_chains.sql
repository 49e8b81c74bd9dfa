-- One row per break in the chains of a source table's rows in a landing batch (landing_batch, source_name,
-- source_tenant, source_database, source_schema, source_table, break_kind, different_columns, proposed_cause).
select
    landing_batch,
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
from {{ ref('chain_breaks') }}
where break_kind <> 'checked'
