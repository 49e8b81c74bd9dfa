-- One row per update that came in two halves, the row before and the row after, and per half whose other half is not there
-- (source_name, source_tenant, source_database, source_schema, source_table, sequence_generation, source_sequence, before_key, after_key).
-- The halves of an update share the vendor's sequence; of several rows that share it, those with the same key are one update.
-- depends_on: {{ ref('changelog') }}
{% set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set half = table ~ ', sequence_generation, source_sequence' -%}
with of_split_tables as (
    select
        events.*,
        {{ kafka_cdc.sequence_generation() | indent(8) }} as sequence_generation
    from {{ kafka_cdc.published_relation(ref('events')) }} as events
    left semi join (
        select {{ table }}
        from {{ ref('event_batch_stats') }}
        where before_events > 0
    ) as split_tables using ({{ table }})
    {%- if not kafka_cdc.get_stream_facts(ref('event_batch_stats')).before_events %}
    -- No update came in two halves.
    where false
    {%- endif %}
),

halves as (
    select
        *,
        count(*) over (partition by {{ half }}, operation) as rows_of_sequence
    from (
        select
            *,
            row_number() over (
                partition by {{ half }}, operation, row_key order by topic_incarnation, kafka_offset, row_index, kafka_topic, kafka_partition
            ) as delivery
        from of_split_tables
        where operation = 'update_before' or operation = 'update' and before_row is null
    ) as deliveries
    where delivery = 1
),

befores as (
    select *
    from halves
    where operation = 'update_before'
),

afters as (
    select *
    from halves
    where operation = 'update'
)

select
    {%- for column in kafka_cdc.get_table_columns() + ['sequence_generation', 'source_sequence'] %}
    coalesce(afters.{{ column }}, befores.{{ column }}) as {{ column }},
    {%- endfor %}
    befores.kafka_offset is not null and afters.kafka_offset is not null as is_paired,
    befores.row_key as before_key,
    befores.before_row,
    befores.occurred_at as before_occurred_at,
    befores.kafka_topic as before_topic,
    befores.topic_incarnation as before_incarnation,
    befores.kafka_partition as before_partition,
    befores.kafka_offset as before_offset,
    befores.row_index as before_row_index,
    afters.row_key as after_key,
    afters.after_row,
    afters.occurred_at as after_occurred_at,
    afters.kafka_topic as after_topic,
    afters.topic_incarnation as after_incarnation,
    afters.kafka_partition as after_partition,
    afters.kafka_offset as after_offset,
    afters.row_index as after_row_index
from befores
full join afters
    on
        {%- for column in kafka_cdc.get_table_columns() + ['sequence_generation', 'source_sequence'] %}
        {{ 'and ' if not loop.first }}befores.{{ column }} = afters.{{ column }}
        {%- endfor %}
        and (befores.row_key <=> afters.row_key or befores.rows_of_sequence = 1 and afters.rows_of_sequence = 1)
