{#
  Prints the CTE images of select_row_versions: from the CTE actions, what a row holds after each of them (row_values, null where it is gone),
  and the whole image (base) that the partial ones lie over.
#}
{% macro row_images_cte() -%}
{%- set row = kafka_cdc.get_table_columns() | join(', ') ~ ', row_key, wiped_by' -%}
-- A segment of a row's life: a whole image (or deletion), and the partial images up to the next.
segments as (
    select
        *,
        count_if(is_whole) over (partition by {{ row }} order by place) as segment,
        last_value(column_types, true) over (partition by {{ row }} order by place) as known_types
    from actions
),

bases as (
    select
        *,
        first_value(if(is_whole, struct(is_gone, said_row, image), null)) over (partition by {{ row }}, segment order by place) as whole,
        collect_list(if(is_whole, null, struct(said_row, removed_columns))) over (partition by {{ row }}, segment order by place) as parts
    from segments
),

images as (
    select
        * except (known_types, column_types),
        known_types as column_types,
        if(whole.is_gone, null, whole) as base,
        if(is_gone, null, {{ kafka_cdc.apply_partial_rows('if(whole.is_gone, null, whole.said_row)', 'parts') | indent(8) }}) as row_values
    from bases
)
{%- endmacro %}
