{#
  Prints a SELECT: a table's columns, the types in its events, newest last, and the types of its values.

  Arguments:
    events (string): SQL of events.
    of_table (string): a condition on an event.
#}
{% macro select_column_profiles(events, of_table) %}
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
    order by position, name
{% endmacro %}
