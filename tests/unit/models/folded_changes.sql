-- One row per row_key: the fold of the unit test's changes.
select
    row_key,
    to_json(row_values) as row_values,
    is_deleted,
    last_operation,
    array_join(incomplete_columns, ', ') as incomplete
from ({{ kafka_cdc.select_current_rows(ref("changes"), ref("profiles"), {"before_events": 1, "partial_moves": 1, "truncates": 1, "drops": 1, "renames": 1, "snapshot_rows": 1}) }}) as folded
