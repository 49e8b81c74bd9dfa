{#
  Returns whether the keys of the waiting changes fit into the memory of each task, a boolean.

  Arguments:
    coverage (dict[string, any]): from get_merge_coverage.
#}
{% macro has_few_keys(coverage) %}
    {{ return(coverage.pending_events <= 200000 and not coverage.released_tables) }}
{% endmacro %}
