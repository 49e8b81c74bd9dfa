{#
  Prints a CTE: the source tables, each with every name that it has had (`names`).

  `renames` are the renames of its stream, or null.

  Names follow the renames. If a name was reused, the names of both tables are included.

  Arguments:
    name (string): name of the CTE.
    renames (string): name of the CTE with the renames of each stream.

  Requires: the CTE `source_tables` and the CTE that `renames` names.
#}
{% macro named_tables_cte(name='named_tables', renames='table_renames') -%}
{%- set own_name = 'struct(' ~ kafka_cdc.get_table_columns()[2:] | join(', ') ~ ')' -%}
{{ name }} as (
    select
        source_tables.*,
        renames,
        coalesce(
            aggregate(
                renames,
                array({{ own_name }}),
                (names, rename) -> if(
                    array_contains(names, rename.old),
                    array_union(names, array(rename.new)),
                    names
                )
            ),
            array({{ own_name }})
        ) as names
    from source_tables
    left join {{ renames }} using (source_name, source_tenant)
)
{%- endmacro %}
