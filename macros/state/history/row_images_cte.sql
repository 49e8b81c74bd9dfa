{#
  Prints the CTE `row_images`: what a row contains after each of its effects.

  Columns in addition to those of the effects:
    row_values   the row after the effect, null after a delete
    base_image   the whole image from which it started, null after a delete or if there is none

  A whole image starts a segment of the row's life. The partial images up to the next one belong to
  it.

  Example, one row:
    sort_key  effect                   segment  row_values
    1         insert {id:1, a:x, b:p}  1        {id:1, a:x, b:p}
    2         partial {a:y}            1        {id:1, a:y, b:p}
    3         partial {b:q}            1        {id:1, a:y, b:q}
    4         delete                   2        null
    5         partial {a:z}            2        {a:z}, incomplete

  Arguments:
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.

  Prints: also the CTEs that it requires, `segments` and `segment_images`.

  Requires: the CTE `effective_row_effects`.
#}
{% macro row_images_cte(facts) -%}
{%- set order_of_row = 'partition by ' ~ kafka_cdc.get_table_columns() | join(', ') ~ ', row_key, reset_by' -%}
{%- set row_values = kafka_cdc.apply_partial_rows(
    'if(last_whole.is_delete, null, last_whole.row_image)',
    'partial_images',
    has_paths=facts.path_updates,
    is_complete="not last_whole.is_delete and last_whole.image <=> 'full'"
) -%}
segments as (
    select
        *,
        count_if(is_whole) over (
            {{ order_of_row }} order by sort_key
        ) as segment,
        last_value(column_types, true) over (
            {{ order_of_row }} order by sort_key
        ) as latest_column_types
    from effective_row_effects
),

segment_images as (
    select
        *,
        first_value(if(is_whole, struct(is_delete, row_image, image), null)) over (
            {{ order_of_row }}, segment order by sort_key
        ) as last_whole,
        collect_list(if(is_whole, null, struct(row_image, removed_columns{{ ', paths' if facts.path_updates }}))) over (
            {{ order_of_row }}, segment order by sort_key
        ) as partial_images
    from segments
),

row_images as (
    select
        * except (latest_column_types, column_types),
        latest_column_types as column_types,
        if(last_whole.is_delete, null, last_whole) as base_image,
        if(
            is_delete,
            null,
            {{ row_values | indent(12) }}
        ) as row_values
    from segment_images
)
{%- endmacro %}
