{#
  Returns what published events tell about the columns of a source table.

  Arguments:
    events (relation): the model events.
    stream (dict[string, any]): the table, with `tables`.
    holds (list[dict[string, any]]): the held tables. Withheld events do not count.
    batches (optional[list[integer]]): the landing batches; none for all.

  Returns: a mapping that merge_profiles can merge:
    * formats: source_format and source_database_type of the changes.
    * key: the newest key columns, and key_position, the position of their message.
    * columns: name to a mapping with position in the row, types (each with the position of its
      newest message), value_types and has_numbers.
#}
{% macro get_table_profile(events, stream, holds, batches=none) %}
    {%- set of_table -%}
        {{ kafka_cdc.table_condition(stream.tables) }}
        and not {{ kafka_cdc.withheld_condition(holds) }}
        {%- if batches is not none %}
        and {{ kafka_cdc.in_batches_condition(batches) }}
        {%- endif %}
    {%- endset -%}
    {%- set published = kafka_cdc.published_relation(events) -%}
    {%- set stream_query -%}
        select
            to_json(
                array_sort(collect_set(struct(source_format, source_database_type))),
                map('ignoreNullFields', 'false')
            ) as formats,
            to_json(
                max_by(key_columns, struct(topic_incarnation, kafka_offset)) filter (where key_columns is not null)
            ) as key_columns,
            to_json(
                max(array(topic_incarnation, kafka_offset)) filter (where key_columns is not null)
            ) as key_position
        from {{ published }}
        where event_kind = 'change' and {{ of_table }}
    {%- endset -%}
    {%- set found = run_query(stream_query).rows[0] -%}

    {%- set columns = {} -%}
    {%- for row in run_query(kafka_cdc._select_column_profiles(published, of_table)).rows -%}
        {%- do columns.update({row.name: {
            'position': row.position | int,
            'types': fromjson(row.types or '[]'),
            'value_types': fromjson(row.value_types or '[]'),
            'has_numbers': row.has_numbers,
        }}) -%}
    {%- endfor -%}
    {{ return({
        'formats': fromjson(found.formats or '[]'),
        'key': fromjson(found.key_columns or '[]'),
        'key_position': fromjson(found.key_position or '[]'),
        'columns': columns,
    }) }}
{% endmacro %}

{#
  Prints a SELECT: a table's columns, the types in its events, newest last, and the types of its values.

  Arguments:
    events (string): SQL of events.
    of_table (string): a condition on an event.
#}
{% macro _select_column_profiles(events, of_table) %}
    with changes as (
        select *
        from {{ events }}
        where
            event_kind in ('change', 'ddl')
            and {{ of_table | indent(12) }}
    ),

    message_types as (
        select
            name,
            source_format,
            source_database_type,
            type,
            max(array(topic_incarnation, kafka_offset, row_index)) as last_position
        from changes lateral view explode(column_types) as name, type
        group by name, source_format, source_database_type, type
    ),

    types as (
        select
            name,
            to_json(
                array_sort(collect_list(struct(last_position, source_format, source_database_type, type))),
                map('ignoreNullFields', 'false')
            ) as types
        from message_types
        group by name
    ),

    texts as (
        select
            name,
            max(position) as position,
            coalesce(max(text rlike '[.-]' or text rlike '^[0-9]+$' and length(text) % 4 > 0), false) as has_numbers,
            to_json(array_sort(collect_set({{ kafka_cdc.extended_json_type('text') }}))) as value_types
        from (
            -- The state completes a partial image from the image before it.
            select
                map_concat(
                    coalesce(after_row, cast(map() as map<string, string>)),
                    map_filter(
                        coalesce(before_row, cast(map() as map<string, string>)),
                        (name, text) -> not coalesce(map_contains_key(after_row, name), false)
                    )
                ) as row_image
            from changes
        ) as images
        lateral view posexplode(row_image) as position, name, text
        group by name
    )

    select
        name,
        position,
        types,
        value_types,
        has_numbers
    from texts
    left join types using (name)
{% endmacro %}
