{#
  Prints a SELECT: the columns of tables, the types in their events, newest last, and the types of
  their values. One row per table and column.

  Most events of a table have the same columns and types. They are grouped before their columns are
  split. Values are read only of the formats whose decoders depend on them.

  Arguments:
    events (string): SQL of events.
    condition (string): a condition on an event.
    table_columns (list[string]): the columns that tell tables apart. Without any, all events are of
      one table.
    formats (optional[list[string]]): the formats of the events; none if they are not known.
#}
{% macro select_column_profiles(events, condition, table_columns=[], formats=none) %}
    {%- set table = table_columns + [''] %}
    {%- set identity = (table_columns + ['name']) | join(', ') %}
    {%- set base64_decimals, mixed_types = [], [] -%}
    {%- for source_type in kafka_cdc.get_source_types() -%}
        {%- if source_type.decoder == 'decode_base64_decimal' -%}
            {%- do base64_decimals.append(source_type.source_format) -%}
        {%- endif -%}
        {%- if 'mixed' in source_type.source_type -%}
            {%- do mixed_types.append(source_type.source_format) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set has_numbers = kafka_cdc._in_formats_condition(base64_decimals, formats) %}
    {%- set has_types = kafka_cdc._in_formats_condition(mixed_types, formats) %}
    {%- set reads_values = has_numbers != 'false' or has_types != 'false' %}
    with changes as (
        select
            *,
            -- The state completes a partial image from the image before it.
            array_union(
                coalesce(
                    filter(map_keys(after_row), name -> not {{ kafka_cdc.path_condition('name', 'paths') }}),
                    array()
                ),
                coalesce(map_keys(before_row), array())
            ) as names
        from {{ events }}
        where
            event_kind in ('change', 'ddl')
            and {{ condition | indent(12) }}
    ),

    shapes as (
        select
            {{ table | join(', ') }}source_format,
            source_database_type,
            names,
            column_types,
            max({{ kafka_cdc.profile_position() | indent(12) }}) as last_position
        from changes
        group by {{ table | join(', ') }}source_format, source_database_type, names, column_types
    ),

    -- A name has its position in a row, a type has none.
    names_and_types as (
        select
            {{ identity }},
            position is null as has_type,
            source_format,
            source_database_type,
            type,
            max(position) as position,
            max(last_position) as last_position
        from shapes
        lateral view inline(concat(
            transform(names, (name, position) -> struct(name, position, cast(null as string) as type)),
            coalesce(
                transform(
                    map_entries(column_types),
                    entry -> struct(entry.key as name, cast(null as int) as position, entry.value as type)
                ),
                array()
            )
        )) as name, position, type
        group by {{ identity }}, position is null, source_format, source_database_type, type
    ),

    named_columns as (
        select
            {{ identity }},
            max(position) as position,
            to_json(
                array_sort(
                    collect_list(struct(last_position, source_format, source_database_type, type))
                        filter (where has_type)
                ),
                map('ignoreNullFields', 'false')
            ) as types
        from names_and_types
        group by {{ identity }}
        having max(position) is not null
    )
    {%- if reads_values %},

    texts as (
        select
            {{ identity }},
            max(
                {{ has_numbers }}
                and (text rlike '[.-]' or text rlike '^[0-9]+$' and length(text) % 4 > 0)
            ) as has_numbers,
            collect_set(
                if({{ has_types }}, {{ kafka_cdc.extended_json_type('text') | indent(16) }}, null)
            ) as value_types
        from (
            select
                {{ table | join(', ') }}source_format,
                case
                    when before_row is null then after_row
                    when after_row is null then before_row
                    else map_concat(
                        after_row,
                        map_filter(before_row, (name, text) -> not map_contains_key(after_row, name))
                    )
                end as row_image
            from changes
            where {{ has_numbers }} or {{ has_types }}
        ) as images
        lateral view explode(row_image) as name, text
        group by {{ identity }}
    )
    {%- endif %}

    select
        {{ identity }},
        position,
        types,
        {%- if reads_values %}
        to_json(array_sort(value_types)) as value_types,
        coalesce(has_numbers, false) as has_numbers
    from named_columns
    left join texts using ({{ identity }})
        {%- else %}
        cast(null as string) as value_types,
        false as has_numbers
    from named_columns
        {%- endif %}
    order by position, name
{% endmacro %}

{#
  Prints a condition: an event has one of the formats, which may be globs. It is false if none of the
  formats that the events have matches.
#}
{% macro _in_formats_condition(globs, formats) -%}
    {%- set possible = [] -%}
    {%- for glob in globs | unique -%}
        {%- for format in formats or [glob] if formats is none or kafka_cdc.has_glob_match(format, glob) -%}
            {%- do possible.append(glob) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ kafka_cdc.globs_condition('source_format', possible | unique | list) if possible else 'false' }}
{%- endmacro %}
