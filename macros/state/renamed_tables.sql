{#
  Prints the SELECT that gives rows (a relation with row_order and the columns of their table) the name that their table has now,
  after the renames that came after them; said_name is the one that they came with. Reads the CTE renames.
#}
{% macro renamed_tables(rows) -%}
{%- set name = ['source_database', 'source_schema', 'source_table'] | join(', ') -%}
select
    named.* except (name),
    name.*
from (
    select
        {{ rows }}.* except ({{ name }}),
        renames,
        struct({{ name }}) as said_name,
        coalesce(
            aggregate(
                filter(renames, rename -> rename.row_order > {{ rows }}.row_order),
                struct({{ name }}),
                (named, rename) -> if(named = rename.old, rename.new, named)
            ),
            struct({{ name }})
        ) as name
    from {{ rows }}
    left join renames using (source_name, source_tenant)
) as named
{%- endmacro %}
