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
#}
{% macro select_column_profiles(events, condition, table_columns=[]) %}
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
    {%- set has_numbers = kafka_cdc._in_formats_condition(base64_decimals) %}
    {%- set has_types = kafka_cdc._in_formats_condition(mixed_types) %}
    with changes as (
        select *
        from {{ events }}
        where
            event_kind in ('change', 'ddl')
            and {{ condition | indent(12) }}
    ),

    distinct_types as (
        select
            {{ table | join(', ') }}source_format,
            source_database_type,
            column_types,
            max({{ kafka_cdc.profile_position() | indent(12) }}) as last_position
        from changes
        where column_types is not null
        group by {{ table | join(', ') }}source_format, source_database_type, column_types
    ),

    message_types as (
        select
            {{ identity }},
            source_format,
            source_database_type,
            type,
            max(last_position) as last_position
        from distinct_types lateral view explode(column_types) as name, type
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

    -- The state completes a partial image from the image before it.
    distinct_names as (
        select distinct
            {{ table | join(', ') }}coalesce(
                filter(map_keys(after_row), name -> not {{ kafka_cdc.path_condition('name', 'paths') }}),
                array()
            ) as after_names,
            coalesce(map_keys(before_row), array()) as before_names
        from changes
    ),

    names as (
        select
            {{ identity }},
            max(position) as position
        from distinct_names
        lateral view posexplode(array_union(after_names, before_names)) as position, name
        group by {{ identity }}
    ),

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

    select
        {{ identity }},
        position,
        types,
        to_json(array_sort(value_types)) as value_types,
        coalesce(has_numbers, false) as has_numbers
    from names
    left join types using ({{ identity }})
    left join texts using ({{ identity }})
    order by position, name
{% endmacro %}

{# Prints a condition: an event has one of the formats, which may be globs. #}
{% macro _in_formats_condition(formats) -%}
    {{ kafka_cdc.globs_condition('source_format', formats | unique | list) if formats else 'false' }}
{%- endmacro %}
