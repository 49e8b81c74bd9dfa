{#
  Prints the SELECT of row_history: one row per version of a row, each change that leaves another row, or the same at another place or
  time. A version ends with the next change of its row, its deletion, or the boundary that empties its table.
  The arguments are those of select_current_rows.
#}
{% macro select_row_versions(events, profiles, facts) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set row = table ~ ', row_key, wiped_by' -%}
{%- set said = 'struct(is_gone, sequence_generation, source_sequence, happened_at, array_sort(map_entries(row_values)))' -%}
with {{ kafka_cdc.ordered_changes_ctes(events, profiles, facts) }},

{{ kafka_cdc.row_images_cte() }},

-- What came twice is one version: the same change at the same place in the vendor's order, and where there is none, the same next to it.
versions as (
    select
        *,
        lead(struct(happened_at)) over (partition by {{ row }} order by place) as next_version
    from (
        select
            *,
            lag({{ said }}) over (partition by {{ row }} order by place) as said_before
        from (
            select
                *,
                row_number() over (
                    partition by {{ row }}, {{ said }}, operation, has_left, row_index, if(source_sequence is null, place, null)
                    order by place desc
                ) as is_said_after
            from images
            where not is_inherited
        ) as sayings
        where is_said_after = 1
    ) as first_sayings
    where not {{ said }} <=> said_before
)

select
    {{ table }},
    row_key,
    row_values,
    column_types,
    happened_at as valid_from,
    coalesce(next_version.happened_at, wiped_by.happened_at) as valid_to,
    next_version is null and wiped_by is null as is_current,
    operation,
    occurred_at,
    sequence_generation,
    source_sequence,
    {{ kafka_cdc.get_coordinates() | join(',\n    ') }},
    {{ kafka_cdc.incomplete_columns('base.image', 'column_types', 'row_values') }} as incomplete_columns
from versions
where not is_gone
{%- endmacro %}
