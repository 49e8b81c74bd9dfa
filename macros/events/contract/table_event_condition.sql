{#
  Prints a condition: an event is a change of a source table, or what an erasure has left of one.

  A table whose rows are all erased still exists for commands that are repeated.

  Requires: the columns of events.
#}
{% macro table_event_condition() -%}
    (event_kind = 'change' or event_kind = 'other' and operation_code = 'erased' and source_table <> '')
{%- endmacro %}
