{# Returns what event_batch_stats counts, name → SQL condition on an event (with sequence, previous, operation_before and following of select_event_statistics). #}
{% macro get_event_counts() %}
    {{ return({
        'messages': 'row_index = 0',
        'changes': "event_kind = 'change' and operation <> 'truncate'",
        'keyless_changes': "event_kind = 'change' and operation <> 'truncate' and row_key is null",
        'snapshot_rows': "operation = 'snapshot'",
        'sequenced_changes': 'sequence is not null',
        'sequence_falls': 'sequence < previous.source_sequence',
        'unsequenced_changes': "event_kind = 'change' and operation not in ('truncate', 'snapshot') and source_sequence is null",
        'before_events': "operation = 'update_before'",
        'partial_moves': "image = 'partial' and (previous_row_key is not null or operation = 'insert' and source_sequence is not null)",
        'truncates': "operation = 'truncate'",
        'drops': "event_kind = 'ddl' and (operation = 'drop' or exists(ddl_tables, named -> named.operation = 'drop'))",
        'renames': "event_kind = 'ddl' and exists(ddl_tables, named -> named.operation = 'rename')",
        'tombstones': "event_kind = 'tombstone'",
        'lone_tombstones': "event_kind = 'tombstone' and not operation_before <=> 'delete'",
        'snapshot_marks': 'snapshot_mark is not null',
        'snapshot_ends': "snapshot_mark = 'complete'",
        'silent_statements': kafka_cdc.unreplicated_statement_condition('following') | trim,
        'change_messages': "event_kind = 'change' and row_index = 0",
        'ddl_messages': "event_kind = 'ddl'",
        'control_messages': "event_kind not in ('change', 'ddl', 'rejected')",
        'rejected_messages': "event_kind = 'rejected'",
    }) }}
{% endmacro %}
