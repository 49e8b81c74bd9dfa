{#
  Prints the CTE name_changes: for each name that a table had, its renames in order, each with the steps that led on from it to the name of
  now; a row then need not look through the renames of all tables. Reads the CTE renames.
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
            aggregate(
                filter(renames, later -> (later.row_order, later.position) > (rename.row_order, rename.position)),
                array(struct(rename.row_order as row_order, rename.new as name)),
                (steps, later) -> if(
                    element_at(steps, -1).name = later.old,
                    concat(steps, array(struct(later.row_order as row_order, later.new as name))),
                    steps
                )
            ) as steps
        from renames
        lateral view explode(renames) exploded as rename
    ) as steps_of_renames
    group by source_name, source_tenant, old
)
{%- endmacro %}
