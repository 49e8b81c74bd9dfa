{#
  Prints the CTE named_tables: the CTE tables, each with the names that it had by and by. Reads the CTE renames, whose statements say
  how tables were renamed.
#}
{% macro named_tables() -%}
{%- set name = 'struct(' ~ get_table_columns()[2:] | join(', ') ~ ')' -%}
named_tables as (
    select
        tables.*,
        coalesce(
            aggregate(renames, array({{ name }}), (names, rename) -> if(element_at(names, -1) = rename.old, concat(names, array(rename.new)), names)),
            array({{ name }})
        ) as names
    from tables
    left join renames using (source_name, source_tenant)
)
{%- endmacro %}
