{#
  Returns the counters of event_batch_stats, a mapping of column name to SQL condition on an event.

  The conditions use the columns of events and those that select_event_statistics adds:
  `sequence`, `rising_sequence`, `previous`, `previous_operation` and `following`.

  Returns: dict[string, string].
#}
{% macro get_event_counts() %}
    {%- set is_partial_move -%}
        image = 'partial'
        and (previous_row_key is not null or operation = 'insert' and source_sequence is not null)
    {%- endset -%}
    {%- set is_drop -%}
        event_kind = 'ddl' and (operation = 'drop' or exists(ddl_tables, named -> named.operation = 'drop'))
    {%- endset -%}
    {%- set is_rename -%}
        event_kind = 'ddl' and exists(ddl_tables, named -> named.operation = 'rename')
    {%- endset -%}
    {%- set is_unsequenced -%}
        {{ kafka_cdc.ordered_change_condition() }} and source_sequence is null
    {%- endset -%}
    {{ return({
        'messages': 'row_index = 0',
        'changes': "event_kind = 'change' and operation <> 'truncate'",
        'keyless_changes': "event_kind = 'change' and operation <> 'truncate' and row_key is null",
        'snapshot_rows': "operation = 'snapshot'",
        'sequenced_changes': 'sequence is not null',
        'sequence_falls': 'rising_sequence < previous.source_sequence',
        'unsequenced_changes': is_unsequenced,
        'before_events': "operation = 'update_before'",
        'partial_moves': is_partial_move,
        'path_updates': 'paths is not null',
        'truncates': "operation = 'truncate'",
        'drops': is_drop,
        'renames': is_rename,
        'tombstones': "event_kind = 'tombstone'",
        'lone_tombstones': "event_kind = 'tombstone' and not previous_operation <=> 'delete'",
        'snapshot_marks': 'snapshot_mark is not null',
        'snapshot_ends': "snapshot_mark = 'complete'",
        'silent_statements': kafka_cdc.unreplicated_statement_condition('following'),
        'change_messages': "event_kind = 'change' and row_index = 0",
        'ddl_messages': "event_kind = 'ddl'",
        'control_messages': "event_kind not in ('change', 'ddl', 'rejected')",
        'rejected_messages': "event_kind = 'rejected'",
    }) }}
{% endmacro %}
