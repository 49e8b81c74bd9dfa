{#
  Prints SQL for the whole row before an update from the row after it and the columns that changed, with their old values
  (null there means: was NULL). An image that already says every column stays as it is.
#}
{% macro overlay_row(after_row, changed_columns) -%}
    if(
        {{ changed_columns }} is null or {{ after_row }} is null or size({{ changed_columns }}) >= size({{ after_row }}),
        {{ changed_columns }},
        element_at(transform(
            array(struct({{ last_wins(after_row) | indent(12) }} as after_row, {{ last_wins(changed_columns) | indent(12) }} as changed)),
            image -> map_concat(map_filter(image.after_row, (name, text) -> not map_contains_key(image.changed, name)), image.changed)
        ), 1)
    )
{%- endmacro %}
