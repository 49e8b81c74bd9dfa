{#
  Prints the SELECT that gives rows (a relation with row_order and the columns of their table) the name that their table has now,
  after the renames that came after them; said_name is the one that they came with, steps are those renames. Reads the CTE name_changes.
#}
{% macro select_renamed_rows(rows) -%}
{%- set name = ['source_database', 'source_schema', 'source_table'] | join(', ') -%}
select
    moved.* except (name),
    name.*
from (
    select
        {{ rows }}.* except ({{ name }}),
        get(filter(name_changes, change -> change.row_order > {{ rows }}.row_order), 0).steps as steps,
        struct({{ name }}) as said_name,
        coalesce(try_element_at(steps, -1).name, said_name) as name
    from {{ rows }}
    left join name_changes using ({{ kafka_cdc.get_table_columns() | join(', ') }})
) as moved
{%- endmacro %}
