{#
  Prints a CTE: the CTE tables, each with the names that it had by and by, those of all its generations where a name was used again. name: the CTE's. renames: a CTE with the renames of each stream, in order.
#}
{% macro named_tables_cte(name='named_tables', renames='renames') -%}
{%- set own_name = 'struct(' ~ kafka_cdc.get_table_columns()[2:] | join(', ') ~ ')' -%}
{{ name }} as (
    select
        tables.*,
        coalesce(
            aggregate(renames, array({{ own_name }}), (names, rename) -> if(array_contains(names, rename.old), array_union(names, array(rename.new)), names)),
            array({{ own_name }})
        ) as names
    from tables
    left join {{ renames }} using (source_name, source_tenant)
)
{%- endmacro %}
