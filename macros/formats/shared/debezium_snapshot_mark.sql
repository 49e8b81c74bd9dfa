{#
  Prints an expression: `start` or `complete` for the first and the last record of a snapshot or of a
  table in it, else null.

  Requires: the format variable `change`.
#}
{% macro debezium_snapshot_mark() -%}
    case
        when change.source.snapshot like 'first%' then 'start'
        when change.source.snapshot like 'last%' then 'complete'
    end
{%- endmacro %}
