{#
  Prints the CTE truncates of fold_rows: from the CTE changes, the last TRUNCATE of each table whose policy applies it.
  A TRUNCATE's table is the message's, or those of its statement where the message names none.
#}
{% macro truncates() -%}
{%- set table = get_table_columns() | join(', ') -%}
truncates as (
    select {{ table }}, max(row_order) as truncated_at
    from (
        select changes.* except (source_database, source_schema, source_table), named.*
        from changes
        lateral view inline(
            if(
                source_table = '' and size(ddl_tables) > 0,
                transform(ddl_tables, named -> struct(named.database as source_database, named.schema as source_schema, named.table as source_table)),
                array(struct(source_database, source_schema, source_table))
            )
        ) named as source_database, source_schema, source_table
        where operation = 'truncate'
    ) as truncated
    where {{ truncate_policy() }} = 'apply'
    group by {{ table }}
)
{%- endmacro %}
