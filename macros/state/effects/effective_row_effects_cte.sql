{#
  Prints the CTE actions: acts, each with the first boundary of its table that leaves nothing of it (wiped_by, null where it stands).
  A boundary wipes what came before it, of the table that had the name which it names at its place.
  empties: whether there is a CTE boundaries. renames: whether tables were renamed.
#}
{% macro effective_row_effects_cte(empties, renames) -%}
actions as (
    select
        acts.*,
    {%- if empties %}
        get(
            filter(boundaries, boundary -> not coalesce(
                if(boundary.is_by_time, boundary.happened_at <= acts.happened_at, boundary.row_order <= acts.row_order)
                {%- if renames %}
                or boundary.name <> coalesce(
                    try_element_at(filter(steps, step -> step.row_order < boundary.row_order), -1).name,
                    said_name
                )
                {%- endif %},
                true
            )),
            0
        ) as wiped_by
    from acts
    left join boundaries using ({{ kafka_cdc.get_table_columns() | join(', ') }})
    {%- else %}
        cast(null as struct<operation: string, happened_at: timestamp>) as wiped_by
    from acts
    {%- endif %}
)
{%- endmacro %}
