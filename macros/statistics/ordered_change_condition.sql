{#
  Prints a condition: an event is a change whose place among the changes of its row must be known.

  Rows of a snapshot come before all changes, so that their place does not matter. It does if a format
  has no other operation: its entry `rows_are_changes` states that.

  Requires: columns `event_kind`, `operation`, `source_format`.
#}
{% macro ordered_change_condition() -%}
    {%- set conditions = kafka_cdc.get_format_conditions('rows_are_changes') -%}
    event_kind = 'change' and operation <> 'truncate'
    and {{ '(' ~ (["operation <> 'snapshot'"] + conditions) | join(' or ') ~ ')' }}
{%- endmacro %}
