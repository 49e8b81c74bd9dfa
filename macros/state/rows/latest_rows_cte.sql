{#
  Prints the CTE `latest_rows`: one row per source table and row_key, from its effects.

  Every column is a maximum, or a list that is sorted afterwards. Both give the same result for
  every order of their input, which is why the order of arrival cannot matter.

  Columns in addition to the table and row_key:
    last_change     the last effect that counts, else the last of those that a reset removed:
                    is_effective, sort_key, is_delete
    change_details  what else is known of it: operation, coordinates ... It is apart from
                    last_change, so that a count of rows does not read it.
    column_types    the last column types that any message contained
    last_reset      the last reset that removed an effect: truncate, drop or snapshot
    base_image      the last whole image since the resets; null if it is a delete or there is none
    later_images    the partial images after the last whole image, in order

  Arguments:
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.

  Prints: also the CTE that it requires, `last_effects`.

  Requires: the CTE `effective_row_effects`.
#}
{% macro latest_rows_cte(facts) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
last_effects as (
    select
        {{ table }},
        row_key,

        max(struct(reset_by is null as is_effective, sort_key, is_delete)) as last_change,

        max_by(
            struct(
                operation,
                occurred_at,
                sequence_generation,
                source_sequence,
                {{ kafka_cdc.get_coordinates() | join(',\n                ') }}
            ),
            struct(reset_by is null, sort_key)
        ) as change_details,

        max_by(struct(sort_key, is_delete, row_image, image), sort_key) filter (
            where is_whole and reset_by is null
        ) as last_whole,

        array_sort(
            collect_list(struct(sort_key, row_image, removed_columns{{ ', paths' if facts.path_updates }})) filter (
                where not is_whole and reset_by is null
            ),
            (one, other) -> case
                when one.sort_key < other.sort_key then -1
                when one.sort_key > other.sort_key then 1
                else 0
            end
        ) as partial_images,

        max_by(column_types, sort_key) filter (where column_types is not null) as column_types,
        max_by(reset_by.operation, sort_key) as last_reset
    from effective_row_effects
    group by {{ table }}, row_key
),

latest_rows as (
    select
        last_effects.* except (last_whole),
        if(last_whole.is_delete, null, last_whole) as base_image,
        filter(partial_images, change -> coalesce(change.sort_key > last_whole.sort_key, true)) as later_images
    from last_effects
)
{%- endmacro %}
