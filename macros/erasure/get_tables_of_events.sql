{#
  Returns all source tables, also those whose rows are all erased.

  Arguments:
    events (relation): the model events.

  Returns: a dictionary, name to `name`, `path` and `tables`, the columns of get_table_columns.
#}
{% macro get_tables_of_events(events) %}
    {%- set columns = kafka_cdc.get_table_columns() | join(', ') -%}
    {%- set query -%}
        select
            {{ kafka_cdc.table_path() }} as path,
            to_json(struct({{ columns }})) as table_parts
        from {{ events }}
        where {{ kafka_cdc.table_event_condition() }}
        group by {{ columns }}
        order by path, source_name, source_tenant
    {%- endset -%}
    {%- set tables = {} -%}
    {%- for row in run_query(query).rows -%}
        {%- set parts = fromjson(row[1]) -%}
        {%- set name = kafka_cdc.get_table_name(row[0], parts) -%}
        {%- do tables.update({name: {'name': name, 'path': row[0], 'tables': parts}}) -%}
    {%- endfor -%}
    {{ return(tables) }}
{% endmacro %}
