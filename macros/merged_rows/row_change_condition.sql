{#
  Prints a condition: an event changes one row that has a key.

  The before event of a split update does not: it only contains the row before the update.

  Requires: columns `event_kind`, `row_key`, `operation`.
#}
{% macro row_change_condition() -%}
event_kind = 'change' and row_key is not null and operation not in ('truncate', 'update_before')
{%- endmacro %}
