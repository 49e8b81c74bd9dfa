{#
  Prints the CTE `name_changes`: per table name its renames, and the later names of the table.

  With it a row only looks at the renames of its own name, and not at those of all tables.

  Example: the renames a -> b at 10, b -> c at 20, a -> d at 30 (a new table with the name a).
    name  name_changes
    a     10, steps [(10, b), (20, c)];  30, steps [(30, d)]
    b     20, steps [(20, c)]
  A row of a from position 5 belongs to c. A row of a from position 25 belongs to d.

  Requires: the CTE `table_renames`.
#}
{% macro name_changes_cte() -%}
name_changes as (
    select
        source_name,
        source_tenant,
        old.*,
        array_sort(collect_list(struct(row_order, position, steps))) as name_changes
    from (
        select
            source_name,
            source_tenant,
            rename.*,
            -- Start with the new name. Each later rename of the name reached so far adds a step.
            aggregate(
                filter(renames, later -> (later.row_order, later.position) > (rename.row_order, rename.position)),
                array(struct(rename.row_order as row_order, rename.new as name)),
                (steps, later) -> if(
                    element_at(steps, -1).name = later.old,
                    concat(steps, array(struct(later.row_order as row_order, later.new as name))),
                    steps
                )
            ) as steps
        from table_renames
        lateral view explode(renames) exploded as rename
    ) as steps_of_renames
    group by source_name, source_tenant, old
)
{%- endmacro %}
