{#
  Prints SQL for the vendor's sequence of a change that takes part in its order; null for all other events. A snapshot's rows carry the
  position at which it was taken, a TRUNCATE that of its statement: neither must rise.
#}
{% macro ordering_sequence() -%}
    if(event_kind = 'change' and operation not in ('truncate', 'snapshot'), source_sequence, null)
{%- endmacro %}
