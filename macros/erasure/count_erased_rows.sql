{#
  Returns how many events and messages have rows to erase.

  Arguments:
    events (relation): the model events.
    rows (list[dict[string, any]]): tables with their rows, as erase_rows takes them.

  Returns: a dictionary with `events` and `messages`, which count all tables, and `tables`. That is a
    list with `events` and `messages` of each table in the order of `rows`.
#}
{% macro count_erased_rows(events, rows) %}
    {%- set columns = kafka_cdc.get_table_columns() | join(', ') -%}
    {%- set identity = kafka_cdc.get_message_coordinates() | join(', ') -%}
    {%- set query -%}
        select
            if(grouping(source_table) = 1, null, to_json(struct({{ columns }}))) as table_parts,
            count(*) as events,
            count(distinct {{ identity }}) as messages
        from {{ events }}
        where {{ kafka_cdc.erased_rows_condition(rows) }}
        group by grouping sets (({{ columns }}), ())
    {%- endset -%}
    {%- set found = {} -%}
    {%- for row in run_query(query).rows -%}
        {%- set name = tojson(fromjson(row[0]), sort_keys=true) if row[0] else '' -%}
        {%- do found.update({name: {'events': row[1], 'messages': row[2]}}) -%}
    {%- endfor -%}

    {%- set none_found = {'events': 0, 'messages': 0} -%}
    {%- set tables = [] -%}
    {%- for table in rows -%}
        {%- do tables.append(found.get(tojson(table.tables, sort_keys=true), none_found)) -%}
    {%- endfor -%}
    {{ return(dict(found.get('', none_found), tables=tables)) }}
{% endmacro %}
