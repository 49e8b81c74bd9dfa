{#
  Prints an expression: the complete row before an update, from the row after it and what changed.

  A null among the changed columns means that the old value was null. If the changed columns are
  already a complete row, they stay as they are.

  Example: after {"id":"1","v":"b","w":"c"} with the changed columns {"v":"a"} gives
  {"id":"1","v":"a","w":"c"}.

  Arguments:
    after_row (string): SQL of the row after the update, map<string, string>.
    changed_columns (string): SQL of the changed columns with their old values, map<string, string>.
#}
{% macro reconstruct_before_row(after_row, changed_columns) -%}
    if(
        {{ changed_columns }} is null
        or {{ after_row }} is null
        or size({{ changed_columns }}) >= size({{ after_row }}),
        {{ changed_columns }},
        {{ kafka_cdc.merge_rows(after_row, changed_columns) | indent(8) }}
    )
{%- endmacro %}
