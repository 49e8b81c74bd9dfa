{#
  Prints a condition: what a message contains may be quoted, because its table is known and has no masks.

  If the setting `tables` has no masks, everything may be quoted.

  Arguments:
    prefix (string): what precedes the parts of the table's name, such as 'events.'.

  Requires: the columns that table_setting requires.
#}
{% macro quotable_condition(prefix='') -%}
    {%- if kafka_cdc.has_masks() -%}
    coalesce({{ prefix }}source_table, '') <> '' and {{ kafka_cdc.mask_line(prefix) | indent(4) }} is null
    {%- else -%}
    true
    {%- endif -%}
{%- endmacro %}
