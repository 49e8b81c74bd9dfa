-- One row per change in the columns of a source table, by time (source_name, source_tenant, source_database,
-- source_schema, source_table, column_name, drift, happened_at, kafka_topic, kafka_partition, kafka_offset).
{% set table = kafka_cdc.get_table_columns() | join(', ') -%}
with columns as (
    select
        {{ table }},
        name,
        type,
        min(first_seen) as first_seen,
        max(last_seen) as last_seen
    from {{ ref('kafka_cdc', 'event_batch_stats') }}
        lateral view inline(columns) entry
    group by {{ table }}, name, type
),

compared as (
    select
        *,
        row_number() over (partition by {{ table }}, name order by first_seen, type) = 1 as is_first,
        min(first_seen) over (partition by {{ table }}) as first_row,
        max(last_seen) over (partition by {{ table }}) as last_row,
        max(last_seen) over (partition by {{ table }}, name) as last_of_column,
        lag(if(type is null, null, struct(type, last_seen)), 1) ignore nulls over (
            partition by {{ table }}, name order by first_seen, type
        ) as before
    from columns
)

select
    {{ table }},
    name as column_name,
    drift,
    old_type,
    new_type,
    seen.happened_at,
    seen.kafka_topic,
    seen.topic_incarnation,
    seen.kafka_partition,
    seen.kafka_offset
from compared
    lateral view inline(
        filter(
            array(
                named_struct(
                    'has_happened', is_first and first_seen > first_row,
                    'drift', 'new',
                    'old_type', null,
                    'new_type', type,
                    'seen', first_seen
                ),
                named_struct(
                    'has_happened', before.type <> type,
                    'drift', 'retyped',
                    'old_type', before.type,
                    'new_type', type,
                    'seen', first_seen
                ),
                named_struct(
                    'has_happened', last_seen = last_of_column and last_seen < last_row,
                    'drift', 'gone',
                    'old_type', type,
                    'new_type', null,
                    'seen', last_seen
                )
            ),
            change -> change.has_happened
        )
    ) changes
