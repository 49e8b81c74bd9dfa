-- One row per row_key: the current rows of a unit test's changes.
{%- set facts = {
    'before_events': 1,
    'partial_moves': 1,
    'truncates': 1,
    'drops': 1,
    'renames': 1,
    'snapshot_rows': 1,
} %}
select
    row_key,
    to_json(row_values) as row_values,
    is_deleted,
    last_operation,
    array_join(incomplete_columns, ', ') as incomplete
from ({{ kafka_cdc.select_current_rows(ref('changes'), ref('batch_stats'), facts, []) }}) as latest_rows
