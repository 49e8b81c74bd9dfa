{#
  Prints a condition on a row of event_batch_stats: it has statements that may change rows of other tables.

  A statement can name several tables. A tombstone and the mark of a snapshot name none. They count
  if the setting `tables` uses them.
#}
{% macro statements_condition() -%}
truncates + ddl_messages + silent_statements
{{- ' + snapshot_marks' if kafka_cdc.has_table_setting('on_snapshot', ['replace']) }}
{{- ' + tombstones' if kafka_cdc.has_table_setting('on_tombstone', ['delete']) }} > 0
{%- endmacro %}
