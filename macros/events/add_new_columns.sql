{#
  Pre-hook: adds the columns that a table of an older version of this package lacks. They are null in its rows.

  A table version keeps the columns of its time. An insert without rows makes a version with all
  columns, so that it can be published although no message has landed.

  Arguments:
    table (relation): the table. Nothing happens if it does not exist.
    columns (dict[string, string]): column -> SQL type.
#}
{% macro add_new_columns(table, columns) %}
    {%- set latest = kafka_cdc.get_versioned_relation(table) if flags.WHICH in ['run', 'build', 'run-operation'] else none -%}
    {%- if latest is not none and columns.keys() | reject('in', run_query('select * from ' ~ latest ~ ' where false').column_names) | list -%}
        {%- set existing = adapter.get_columns_in_relation(table) | map(attribute='name') | list -%}
        {%- for name, type in columns.items() if name not in existing -%}
            {%- do run_query('alter table ' ~ table ~ ' add column ' ~ name ~ ' ' ~ type) -%}
        {%- endfor -%}
        {%- do run_query('insert into ' ~ table ~ ' select * from ' ~ table ~ ' where false') -%}
    {%- endif -%}
{% endmacro %}
