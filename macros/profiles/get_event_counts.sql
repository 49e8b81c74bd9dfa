{# Returns what stream_profiles counts, name → SQL condition on an event (with sequence, previous, operation_before and following of profile_events). #}
{% macro get_event_counts() %}
    {{ return({
        'messages': 'row_index = 0',
        'changes': "event_kind = 'change' and operation <> 'truncate'",
        'keyless_changes': "event_kind = 'change' and operation <> 'truncate' and row_key is null",
        'snapshot_rows': "operation = 'snapshot'",
        'sequenced_changes': 'sequence is not null',
        'sequence_falls': 'sequence < previous.source_sequence',
        'unsequenced_changes': "event_kind = 'change' and operation not in ('truncate', 'snapshot') and source_sequence is null",
        'before_halves': "operation = 'update_before'",
        'partial_moves': "image = 'partial' and (previous_row_key is not null or operation = 'insert' and source_sequence is not null)",
        'truncates': "operation = 'truncate'",
        'drops': "event_kind = 'ddl' and (operation = 'drop' or exists(ddl_tables, named -> named.operation = 'drop'))",
        'renames': "event_kind = 'ddl' and exists(ddl_tables, named -> named.operation = 'rename')",
        'tombstones': "event_kind = 'tombstone'",
        'lone_tombstones': "event_kind = 'tombstone' and not operation_before <=> 'delete'",
        'snapshot_marks': 'snapshot_mark is not null',
        'snapshot_ends': "snapshot_mark = 'complete'",
        'silent_statements': is_silent_statement('following') | trim,
        'change_messages': "event_kind = 'change' and row_index = 0",
        'ddl_messages': "event_kind = 'ddl'",
        'control_messages': "event_kind not in ('change', 'ddl', 'rejected')",
        'rejected_messages': "event_kind = 'rejected'",
    }) }}
{% endmacro %}
