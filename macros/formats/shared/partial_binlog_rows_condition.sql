{#
  Prints a condition: the rows of a topic may lack columns, because its MySQL server leaves them out.

  No message shows it. The setting `binlog_row_image` of the topic does.
#}
{% macro partial_binlog_rows_condition() -%}
    coalesce(settings.binlog_row_image in ('minimal', 'noblob'), false)
{%- endmacro %}
