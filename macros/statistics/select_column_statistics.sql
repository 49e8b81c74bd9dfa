{#
  Prints a SELECT: the columns of whole rows, an array for each group of event_batch_stats.

  Elements of the array: name, type (null if no message contains it), first_seen and last_seen, the
  first and last change with the column, by time. Most rows have the same set of columns, so rows
  are first grouped by their set.

  Arguments:
    events (relation): the model events.
    batches (optional[dict[integer, integer]]): from get_batches_to_summarize; none for all batches.
#}
{% macro select_column_statistics(events, batches) -%}
{%- set stream = kafka_cdc.get_stream_columns() | join(', ') -%}
{%- set types = 'column_types' -%}
{%- if kafka_cdc.has_masks() -%}
    {#- Messages without types have only the entry * of masked_column_types. -#}
    {%- set types -%}
    if(
        size(column_types) = 1 and map_contains_key(column_types, '*'),
        map_concat(transform_values(after_row, (name, text) -> cast(null as string)), column_types),
        column_types
    )
    {%- endset -%}
{%- endif -%}
select
    {{ stream }},
    collect_list(struct(name, type, first_seen, last_seen)) as columns
from (
    select
        {{ stream }},
        entry.key as name,
        entry.value as type,
        min(first_seen) as first_seen,
        max(last_seen) as last_seen
    from (
        select
            {{ stream }},
            columns,
            min(seen) as first_seen,
            max(seen) as last_seen
        from (
            select
                {{ stream }},
                map_entries(
                    coalesce(
                        {{ types | indent(24) }},
                        transform_values(after_row, (name, text) -> cast(null as string))
                    )
                ) as columns,
                struct(
                    {{ kafka_cdc.happened_at() }} as happened_at,
                    topic_incarnation,
                    kafka_offset,
                    kafka_topic,
                    kafka_partition
                ) as seen
            from {{ events }}
            where
                event_kind = 'change'
                and image = 'full'
                {%- if batches is not none %}
                and {{ kafka_cdc.in_batches_condition(batches) }}
                {%- endif %}
        ) as rows
        group by {{ stream }}, columns
    ) as column_sets
    lateral view explode(columns) exploded as entry
    group by {{ stream }}, entry.key, entry.value
) as columns
group by {{ stream }}
{%- endmacro %}
