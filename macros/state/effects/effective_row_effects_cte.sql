{#
  Prints the CTE `effective_row_effects`: the row effects, each with the reset that removed it.

  `reset_by` is the first reset of the table that the effect precedes, a struct; null if the effect
  counts. An effect precedes a reset if its row_order is lower. With the policy apply_by_time its
  time must be earlier instead. With renames, a reset applies to the rows that had its table name at
  the position of the reset.

  Example: resets of table t at 30 (truncate) and 60 (drop).
    row_order  effect          reset_by
    10         insert row 1    truncate
    20         update row 1    truncate
    40         insert row 1    drop
    50         insert row 2    drop
    70         insert row 2    null: only this effect counts

  Arguments:
    has_resets (boolean): whether there is a CTE `table_resets`.
    has_renames (boolean): whether renames are applied.

  Requires: the CTE `row_effects`; with has_resets also `table_resets`.
#}
{% macro effective_row_effects_cte(has_resets, has_renames) -%}
effective_row_effects as (
    select
        row_effects.*,
    {%- if has_resets %}
        get(
            filter(
                resets,
                reset -> not coalesce(
                    if(
                        reset.is_by_time,
                        reset.happened_at <= row_effects.happened_at,
                        reset.row_order <= row_effects.row_order
                    )
                    {%- if has_renames %}
                    -- the name that the table had when the reset came
                    or reset.name <> coalesce(
                        try_element_at(filter(steps, step -> step.row_order < reset.row_order), -1).name,
                        original_name
                    )
                    {%- endif %},
                    true
                )
            ),
            0
        ) as reset_by
    from row_effects
    left join table_resets using ({{ kafka_cdc.get_table_columns() | join(', ') }})
    {%- else %}
        cast(null as struct<operation: string, happened_at: timestamp>) as reset_by
    from row_effects
    {%- endif %}
)
{%- endmacro %}
