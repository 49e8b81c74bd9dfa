{#
  Prints the SELECT of the columns that whole rows have, an array for each stream of event_batch_stats: name, type (null where no message says
  it), and the first and last change that has it, by time. Rows are summed up by their set of columns first, as most have the same.
  events, batches: as select_event_statistics takes them.
#}
{% macro select_column_statistics(events, batches) -%}
{%- set stream = kafka_cdc.get_stream_columns() | join(', ') -%}
select
    {{ stream }},
    collect_list(struct(name, type, first_seen, last_seen)) as columns
from (
    select
        {{ stream }},
        said.key as name,
        said.value as type,
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
                map_entries(coalesce(column_types, transform_values(after_row, (name, text) -> cast(null as string)))) as columns,
                struct({{ kafka_cdc.happened_at() }} as happened_at, topic_incarnation, kafka_offset, kafka_topic, kafka_partition) as seen
            from {{ events }}
            where
                event_kind = 'change'
                and image = 'full'
                {%- if batches is not none %}
                and {{ kafka_cdc.in_batches_condition(batches) }}
                {%- endif %}
        ) as rows
        group by {{ stream }}, columns
    ) as sets
    lateral view explode(columns) exploded as said
    group by {{ stream }}, said.key, said.value
) as columns
group by {{ stream }}
{%- endmacro %}
