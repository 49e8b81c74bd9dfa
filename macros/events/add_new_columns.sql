{#
  Pre-hook: adds the columns that a table of an older version of this package lacks. They are null in its rows.

  A table version keeps the columns of its time. An insert without rows makes a version with all
  columns, so that it can be published although no message has landed.
  A run compares the columns only if the last run recorded others.

  Arguments:
    table (relation): the table. Nothing happens if it does not exist.
    columns (dict[string, string]): column -> SQL type.
#}
{% macro add_new_columns(table, columns) %}
    {%- set name = 'added columns of ' ~ table.identifier -%}
    {%- set fingerprint = local_md5(tojson(columns))[:10] -%}
    {%- set is_run = execute and flags.WHICH in ['run', 'build'] -%}
    {%- if not is_run and flags.WHICH != 'run-operation' or is_run and kafka_cdc.is_recorded_fingerprint(name, fingerprint) -%}
        {{ return('') }}
    {%- endif -%}

    {%- do kafka_cdc.begin_change(name) if is_run -%}
    {%- set latest = kafka_cdc.get_versioned_relation(table) -%}
    {%- if latest is not none and columns.keys() | reject('in', run_query('select * from ' ~ latest ~ ' where false').column_names) | list -%}
        {%- set existing = adapter.get_columns_in_relation(table) | map(attribute='name') | list -%}
        {%- for name, type in columns.items() if name not in existing -%}
            {%- do run_query('alter table ' ~ table ~ ' add column ' ~ name ~ ' ' ~ type) -%}
        {%- endfor -%}
        {%- do run_query('insert into ' ~ table ~ ' select * from ' ~ table ~ ' where false') -%}
        {%- do kafka_cdc.record_write(table) -%}
    {%- endif -%}
    {%- do kafka_cdc.record_fingerprint(name, fingerprint) if is_run -%}
{% endmacro %}
