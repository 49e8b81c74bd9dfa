{#
  Returns all source tables, also those whose rows are all erased.

  Arguments:
    events (relation): the model events.

  Returns: a dictionary, name to `name`, `path` and `tables`, the columns of get_table_columns. The
    entry of a name that two tables have is that of one of them, with `is_ambiguous`.
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
        {%- set is_ambiguous = name in tables -%}
        {%- do tables.update({name: {
            'name': name,
            'path': row[0],
            'tables': parts,
            'is_ambiguous': is_ambiguous,
        }}) -%}
    {%- endfor -%}
    {{ return(tables) }}
{% endmacro %}
