{#
  Returns the configuration of a table whose landing batches are replaced one by one: events, event_batch_stats.

  A batch is replaced as a whole in one commit, so concurrent and repeated runs leave each row once.
  --full-refresh replaces batches too. It never drops the table.

  Arguments:
    pre_hooks (list[string]): hooks that run before the batches are written.
    bounds (list[string]): as get_table_properties takes them.
    has_topics (boolean): likewise.

  Returns: a mapping for config().
#}
{% macro get_batch_table_config(pre_hooks, bounds=[], has_topics=true) %}
    {{ return({
        'materialized': 'incremental_skip_empty',
        'incremental_strategy': 'insert_overwrite',
        'partition_by': ['landing_batch'],
        'full_refresh': false,
        'pre_hook': pre_hooks,
        'post_hook': '{{ kafka_cdc.record_tested_version(this) }}',
        'on_schema_change': 'append_new_columns',
        'tblproperties': kafka_cdc.get_table_properties(is_by_batch=true, bounds=bounds, has_topics=has_topics),
    }) }}
{% endmacro %}
