{#
  Returns what the stream contains, a mapping of name to number.

  The SQL of the state leaves out the steps that a stream does not need.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    is_published (boolean): whether to read its published version or its present content.

  Returns: a mapping of name to number (dict[string, integer]) for before_events, partial_moves,
    path_updates, truncates, drops, renames, snapshot_rows and tombstones. Before there are
    statistics, each is 1.
    `masks` is the number of rows of batch_stats with masked events. It is 0 before.
#}
{% macro get_stream_facts(batch_stats, is_published=false) %}
    {{ return(kafka_cdc.get_facts(kafka_cdc.get_versioned_relation(batch_stats, is_published)).stream) }}
{% endmacro %}
