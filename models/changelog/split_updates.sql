-- One row per update that came in two halves, the row before and the row after, and per half whose other half is not there
-- (source_name, source_tenant, source_database, source_schema, source_table, epoch, source_sequence, before_key, after_key).
-- The halves of an update share the vendor's sequence; of several rows that share it, those with the same key are one update.
-- depends_on: {{ ref('changelog') }}
{% set table = get_table_columns() | join(', ') -%}
{%- set half = table ~ ', epoch, source_sequence' -%}
with halves as (
    select
        *,
        count(*) over (partition by {{ half }}, operation) as rows_of_sequence
    from (
        select
            *,
            row_number() over (
                partition by {{ half }}, operation, row_key order by topic_incarnation, kafka_offset, row_index, kafka_topic, kafka_partition
            ) as delivery
        from (
            select
                *,
                {{ row_epoch() | indent(16) }} as epoch
            from {{ published(ref('events')) }}
            left semi join (
                select {{ table }}
                from {{ ref('stream_profiles') }}
                where before_halves > 0
            ) as split_tables using ({{ table }})
            where
                {%- if not get_stream_facts(ref('stream_profiles')).before_halves %}
                -- No update came in two halves.
                false and
                {%- endif %}
                (operation = 'update_before' or operation = 'update' and before_row is null)
        ) as events
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
    {%- for column in get_table_columns() + ['epoch', 'source_sequence'] %}
    coalesce(afters.{{ column }}, befores.{{ column }}) as {{ column }},
    {%- endfor %}
    befores.kafka_offset is not null and afters.kafka_offset is not null as is_paired,
    {%- for half, key, row in [('before', 'before_key', 'before_row'), ('after', 'after_key', 'after_row')] %}
    {{ half }}s.row_key as {{ key }},
    {{ half }}s.{{ row }},
    {{ half }}s.occurred_at as {{ half }}_occurred_at,
    {{ half }}s.kafka_topic as {{ half }}_topic,
    {{ half }}s.topic_incarnation as {{ half }}_incarnation,
    {{ half }}s.kafka_partition as {{ half }}_partition,
    {{ half }}s.kafka_offset as {{ half }}_offset,
    {{ half }}s.row_index as {{ half }}_row_index{{ ',' if not loop.last }}
    {%- endfor %}
from befores
full join afters
    on
        {%- for column in get_table_columns() + ['epoch', 'source_sequence'] %}
        {{ 'and ' if not loop.first }}befores.{{ column }} = afters.{{ column }}
        {%- endfor %}
        and (befores.row_key <=> afters.row_key or befores.rows_of_sequence = 1 and afters.rows_of_sequence = 1)
