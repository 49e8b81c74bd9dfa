{#
  Prints the CTE folded of select_current_rows: from the CTE actions, one row per source table and row_key, by maxima alone: the last action;
  of those after the last boundary of the table the last whole image (or deletion), and the partial images after it in order.
#}
{% macro latest_rows_cte() -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
folded as (
    select
        {{ table }},
        row_key,
        max_by(
            struct(wiped_by is null as stands, is_gone, operation, occurred_at, sequence_generation, source_sequence, {{ kafka_cdc.get_coordinates() | join(', ') }}),
            struct(wiped_by is null, place)
        ) as last_change,
        max_by(struct(place, is_gone, said_row, image), place) filter (where is_whole and wiped_by is null) as whole,
        array_sort(
            collect_list(struct(place, said_row, removed_columns)) filter (where not is_whole and wiped_by is null),
            (one, other) -> case when one.place < other.place then -1 when one.place > other.place then 1 else 0 end
        ) as parts,
        max_by(column_types, place) filter (where column_types is not null) as column_types,
        max_by(wiped_by.operation, place) as last_boundary
    from actions
    group by {{ table }}, row_key
),

standing as (
    select
        folded.* except (whole),
        if(whole.is_gone, null, whole) as base,
        filter(parts, part -> coalesce(part.place > whole.place, true)) as later_parts
    from folded
)
{%- endmacro %}
