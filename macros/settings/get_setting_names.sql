{#
  Returns the names of all settings, a list.
#}
{% macro get_setting_names() %}
    {{ return([
        'topics',
        'tables',
        'sequence_resets',
        'silence_factor',
        'lookback_days',
        'compaction_threshold',
        'on_held',
        'check_in_run',
        'check_chains',
        'raw_schema',
        'raw_table',
        'raw_column_mapping',
        'formats',
        'replay',
    ]) }}
{% endmacro %}
