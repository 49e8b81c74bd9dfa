{#
  Prints an expression: the sequence of a change if it must rise, null for other events.

  The rows of a source snapshot have the position at which it was taken. A TRUNCATE has the position
  of its statement. Neither has to rise.

  Requires: columns `event_kind`, `operation`, `source_sequence`.
#}
{% macro ordering_sequence() -%}
    if(event_kind = 'change' and operation not in ('truncate', 'snapshot'), source_sequence, null)
{%- endmacro %}
