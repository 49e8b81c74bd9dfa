{#
  Adds to a table, in a run or operation, the columns that it lacks where an older version of this package made it; they are null in what was read before. A
  snapshot keeps the columns of its time: one that says the same, with all columns, is made, so that it can be published although nothing has landed.
  columns: name → SQL type.
#}
{% macro add_new_columns(table, columns) %}
    {%- set newest = kafka_cdc.get_versioned_relation(table) if flags.WHICH in ['run', 'build', 'run-operation'] else none -%}
    {%- if newest is not none and columns.keys() | reject('in', run_query('select * from ' ~ newest ~ ' where false').column_names) | list -%}
        {%- set known = adapter.get_columns_in_relation(table) | map(attribute='name') | list -%}
        {%- for name, type in columns.items() if name not in known %}{% do run_query('alter table ' ~ table ~ ' add column ' ~ name ~ ' ' ~ type) %}{% endfor -%}
        {%- do run_query('insert into ' ~ table ~ ' select * from ' ~ table ~ ' where false') -%}
    {%- endif -%}
{% endmacro %}
