{#
  Prints a SELECT: the columns of tables, the types in their events, newest last, and the types of
  their values. One row per table and column.

  Arguments:
    events (string): SQL of events.
    condition (string): a condition on an event.
    table_columns (list[string]): the columns that tell tables apart. Without any, all events are of
      one table.
#}
{% macro select_column_profiles(events, condition, table_columns=[]) %}
    {%- set identity = (table_columns + ['name']) | join(', ') %}
    with changes as (
        select *
        from {{ events }}
        where
            event_kind in ('change', 'ddl')
            and {{ condition | indent(12) }}
    ),

    message_types as (
        select
            {{ identity }},
            source_format,
            source_database_type,
            type,
            max({{ kafka_cdc.profile_position() | indent(12) }}) as last_position
        from changes lateral view explode(column_types) as name, type
        group by {{ identity }}, source_format, source_database_type, type
    ),

    types as (
        select
            {{ identity }},
            to_json(
                array_sort(collect_list(struct(last_position, source_format, source_database_type, type))),
                map('ignoreNullFields', 'false')
            ) as types
        from message_types
        group by {{ identity }}
    ),

    texts as (
        select
            {{ identity }},
            max(position) as position,
            coalesce(max(text rlike '[.-]' or text rlike '^[0-9]+$' and length(text) % 4 > 0), false) as has_numbers,
            to_json(array_sort(collect_set({{ kafka_cdc.extended_json_type('text') }}))) as value_types
        from (
            -- The state completes a partial image from the image before it.
            select
                {%- for column in table_columns %}
                {{ column }},
                {%- endfor %}
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
        group by {{ identity }}
    )

    select
        {{ identity }},
        position,
        types,
        value_types,
        has_numbers
    from texts
    left join types using ({{ identity }})
    order by position, name
{% endmacro %}
