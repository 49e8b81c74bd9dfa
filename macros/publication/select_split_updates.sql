{#
  Prints a SELECT: the rows of split_updates, which are all updates that came as two events.

  Events of a table that had no before event are left out. What a held table withholds does not
  count.

  Arguments:
    events (string): SQL of the model events, in its published version for readers.
    batch_stats (string): SQL of the model event_batch_stats, in its published version for readers.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    holds (list[dict[string, any]]): the held tables, from get_holds. Their withheld events are left
      out.
#}
{% macro select_split_updates(events, batch_stats, facts, holds) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set position = table ~ ', sequence_generation, source_sequence' -%}
with events_of_split_tables as (
    select
        events.*,
        {{ kafka_cdc.sequence_generation() | indent(8) }} as sequence_generation
    from {{ events }} as events
    left semi join (
        select {{ table }}
        from {{ batch_stats }}
        where
            before_events > 0
            {%- if holds %}
            and not {{ kafka_cdc.withheld_condition(holds) | indent(12) }}
            {%- endif %}
    ) as split_tables using ({{ table }})
    {%- if holds %}
    where not {{ kafka_cdc.withheld_condition(holds) | indent(4) }}
    {%- endif %}
    {%- if not facts.before_events %}
    -- No update came as two events.
    {{ 'and' if holds else 'where' }} false
    {%- endif %}
),

split_events as (
    select
        *,
        count(*) over (partition by {{ position }}, operation) as rows_of_sequence
    from (
        select
            *,
            row_number() over (
                partition by {{ position }}, operation, row_key
                order by topic_incarnation, kafka_offset, row_index, kafka_topic, kafka_partition
            ) as delivery
        from events_of_split_tables
        where operation = 'update_before' or operation = 'update' and before_row is null
    ) as deliveries
    where delivery = 1
),

before_events as (
    select *
    from split_events
    where operation = 'update_before'
),

after_events as (
    select *
    from split_events
    where operation = 'update'
)

select
    {%- for column in kafka_cdc.get_table_columns() + ['sequence_generation', 'source_sequence'] %}
    coalesce(after_events.{{ column }}, before_events.{{ column }}) as {{ column }},
    {%- endfor %}
    before_events.kafka_offset is not null and after_events.kafka_offset is not null as is_paired,
    before_events.row_key as before_key,
    before_events.before_row,
    before_events.occurred_at as before_occurred_at,
    before_events.kafka_topic as before_topic,
    before_events.topic_incarnation as before_incarnation,
    before_events.kafka_partition as before_partition,
    before_events.kafka_offset as before_offset,
    before_events.row_index as before_row_index,
    after_events.row_key as after_key,
    after_events.after_row,
    after_events.occurred_at as after_occurred_at,
    after_events.kafka_topic as after_topic,
    after_events.topic_incarnation as after_incarnation,
    after_events.kafka_partition as after_partition,
    after_events.kafka_offset as after_offset,
    after_events.row_index as after_row_index
from before_events
full join after_events
    on
        {%- for column in kafka_cdc.get_table_columns() + ['sequence_generation', 'source_sequence'] %}
        {{ 'and ' if not loop.first }}before_events.{{ column }} = after_events.{{ column }}
        {%- endfor %}
        and (
            before_events.row_key <=> after_events.row_key
            or before_events.rows_of_sequence = 1 and after_events.rows_of_sequence = 1
        )
{%- endmacro %}
