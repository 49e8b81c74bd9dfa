{#
  Returns the settings that typed tables and commands of other projects need, for the configuration of changelog.

  Returns: a mapping of name to value (dict[string, any]).
#}
{% macro get_shared_settings() %}
    {{ return({
        'topics': var('topics', []) or [],
        'tables': var('tables', []) or [],
        'sequence_resets': var('sequence_resets', []) or [],
        'formats': var('formats', []) or [],
        'raw_column_mapping': var('raw_column_mapping', {}) or {},
    }) }}
{% endmacro %}
