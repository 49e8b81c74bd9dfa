{#
  Prints a condition: a source table has several source snapshots, or may have them by a sequence reset.

  Requires: rows of event_batch_stats, grouped by source table.
#}
{% macro repeated_snapshots_condition() -%}
sum(snapshot_ends) > 1{{ ' or sum(snapshot_rows) > 0' if kafka_cdc.get_sequence_resets() }}
{%- endmacro %}
