{#
  Prints SQL for the whole row before an update from the row after it and the columns that changed, with their old values
  (null there means: was NULL). An image that already says every column stays as it is.
#}
{% macro reconstruct_before_row(after_row, changed_columns) -%}
    if(
        {{ changed_columns }} is null or {{ after_row }} is null or size({{ changed_columns }}) >= size({{ after_row }}),
        {{ changed_columns }},
        {{ kafka_cdc.merge_rows(after_row, changed_columns) | indent(8) }}
    )
{%- endmacro %}
