{#
  Prints the CTEs befores and actions of fold_rows: from the CTE changes, one action for each row that a change reaches: the row
  that it writes or deletes, and the key that a moving row leaves. A partial image is laid over what its before image says.
#}
{% macro row_actions() -%}
{%- set table = get_table_columns() | join(', ') -%}
-- The other halves of updates that came as two messages.
befores as (
    select {{ table }}, source_sequence, max(row_key) as before_key
    from changes
    where operation = 'update_before' and source_sequence is not null
    group by {{ table }}, source_sequence
    having count(distinct row_key) = 1
),

actions as (
    select
        changes.* except (row_key, previous_row_key, after_row),
        action.*,
        if(
            image = 'partial' and before_row is not null,
            map_concat(map_filter(before_row, (name, text) -> not map_contains_key(after_row, name)), after_row),
            after_row
        ) as said_row
    from (
        select
            changes.*,
            coalesce(previous_row_key, if(before_row is null and before_key <> row_key, before_key, null)) as left_key
        from changes
        left join befores using ({{ table }}, source_sequence)
        where row_key is not null and operation not in ('update_before', 'truncate')
    ) as changes
    lateral view inline(
        if(
            left_key is null,
            array(struct(row_key as key, false as has_left)),
            array(struct(row_key as key, false as has_left), struct(left_key as key, true as has_left))
        )
    ) action as row_key, has_left
)
{%- endmacro %}
