{#
  Prints the CTEs folded and standing of fold_rows: from the CTE actions, one row per source table and row_key, by maxima alone: the last change,
  the last whole image (or deletion), and the partial images in order;
  then what of them still stands after the last truncate.
#}
{% macro folded_rows() -%}
{%- set table = get_table_columns() | join(', ') -%}
folded as (
    select
        {{ table }},
        row_key,
        max_by(struct(
            row_order, has_left or operation = 'delete' as is_gone, operation, occurred_at, epoch, source_sequence, {{ get_coordinates() | join(', ') }}
        ), row_order) as last_change,
        max_by(struct(row_order, has_left or operation = 'delete' as is_gone, said_row, image), row_order) filter (
            where has_left or operation in ('insert', 'snapshot', 'delete') or image = 'full'
        ) as whole,
        array_sort(
            collect_list(struct(row_order, said_row, removed_columns)) filter (where not has_left and image = 'partial'),
            (one, other) -> case when one.row_order < other.row_order then -1 when one.row_order > other.row_order then 1 else 0 end
        ) as parts,
        max_by(column_types, row_order) filter (where column_types is not null) as column_types
    from actions
    group by {{ table }}, row_key
),

standing as (
    select
        folded.*,
        coalesce(last_change.row_order < truncated_at, false) as is_truncated,
        if(whole.is_gone or whole.row_order < truncated_at, null, whole) as base,
        filter(
            parts,
            part -> coalesce(part.row_order > whole.row_order, true) and coalesce(part.row_order > truncated_at, true)
        ) as later_parts
    from folded
    left join truncates using ({{ table }})
)
{%- endmacro %}
