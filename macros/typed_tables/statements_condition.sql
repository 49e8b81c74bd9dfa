{#
  Prints a condition on a row of event_batch_stats: it has statements that may change rows of other tables.

  A statement can name several tables.
#}
{% macro statements_condition() -%}
truncates + ddl_messages + silent_statements > 0
{%- endmacro %}
