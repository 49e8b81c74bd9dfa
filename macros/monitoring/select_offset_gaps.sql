{#
  Prints a SELECT: the rows of offset_gaps, ranges of landed offsets with missing offsets before or in them.

  A range is one landing batch, or several whose offsets overlap.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_offset_gaps(batch_stats) -%}
{%- set partition = 'kafka_topic, topic_incarnation, kafka_partition' -%}
with batches as (
    select
        {{ partition }},
        landing_batch,
        min(first_offset) as first_offset,
        max(last_offset) as last_offset,
        sum(messages) as messages
    from {{ batch_stats }}
    group by {{ partition }}, landing_batch
),

reached as (
    select
        *,
        max(last_offset) over (
            partition by {{ partition }}
            order by first_offset, landing_batch
            rows between unbounded preceding and 1 preceding
        ) as reached_offset
    from batches
),

offset_ranges as (
    select
        *,
        count_if(not coalesce(first_offset <= reached_offset, false)) over (
            partition by {{ partition }} order by first_offset, landing_batch
        ) as range_number
    from reached
),

gaps as (
    select
        {{ partition }},
        array_sort(collect_set(landing_batch)) as landing_batches,
        min(first_offset) as first_offset,
        max(last_offset) as last_offset,
        sum(messages) as messages,
        -- What precedes the first batch of a range precedes the range.
        coalesce(
            min(first_offset) - min_by(reached_offset, struct(first_offset, landing_batch)) - 1,
            0
        ) as missing_before,
        max(last_offset) - min(first_offset) + 1 - sum(messages) as missing_inside
    from offset_ranges
    group by {{ partition }}, range_number
)

select
    {{ partition }},
    landing_batches,
    first_offset,
    last_offset,
    messages,
    missing_before,
    missing_inside
from gaps
where missing_before > 0 or missing_inside > 0
{%- endmacro %}
