-- One row per row_key: the fold of the unit test's changes.
select
    row_key,
    to_json(row_values) as row_values,
    is_deleted,
    last_operation,
    array_join(incomplete_columns, ', ') as incomplete
from ({{ fold_rows(ref("changes"), ref("profiles"), {"before_halves": 1, "partial_moves": 1, "truncates": 1, "drops": 1, "renames": 1, "snapshot_rows": 1}) }}) as folded
