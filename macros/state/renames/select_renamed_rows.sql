{#
  Prints a SELECT: rows under the name that their table has after all renames.

  Two columns are added: `original_name`, the name in the message, and `steps`, the renames that
  followed. The columns that name the table contain the current name.

  Arguments:
    rows (string): name of a CTE with `row_order` and the columns that name a source table.

  Requires: the CTE `name_changes`.
#}
{% macro select_renamed_rows(rows) -%}
{%- set name = ['source_database', 'source_schema', 'source_table'] | join(', ') -%}
select
    renamed.* except (name),
    name.*
from (
    select
        {{ rows }}.* except ({{ name }}),
        get(filter(name_changes, change -> change.row_order > {{ rows }}.row_order), 0).steps as steps,
        struct({{ name }}) as original_name,
        coalesce(try_element_at(steps, -1).name, original_name) as name
    from {{ rows }}
    left join name_changes using ({{ kafka_cdc.get_table_columns() | join(', ') }})
) as renamed
{%- endmacro %}
