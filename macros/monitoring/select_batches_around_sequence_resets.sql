{#
  Prints a SELECT: the landing batches that decide whether a vendor's sequence was reset.

  A sequence may have been reset if a change is below an earlier one of its table in the partition.
  It can be in the same batch or in another one. Batches whose offsets overlap count as well. Falls
  that a line of the setting sequence_resets explains do not count.

  Two kinds of batches are included, also those of other tables of the stream in the partition:
  * Batches with sequences between the two values of a fall. They contain the highest change before
    it, and may contain the original delivery of the changes after it.
  * Batches from the fall to the first one that passes it, also by its time. They decide about it.

  Columns: kafka_topic, kafka_partition, the columns that name the source table of the fall, and
  landing_batch.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    unchecked (optional[string]): from get_unchecked_falls_condition; none selects all falls.
#}
{% macro select_batches_around_sequence_resets(batch_stats, unchecked=none) -%}
{%- set partition = (['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns()) | join(', ') -%}
{%- set is_configured_inside = kafka_cdc.configured_reset_condition(
    after=['topic_incarnation', 'first_fall.previous_offset'],
    until=['topic_incarnation', 'first_fall.kafka_offset']
) -%}
{%- set is_configured_between = kafka_cdc.configured_reset_condition(
    after=['before.last_change.topic_incarnation', 'before.last_change.kafka_offset'],
    until=['first_change.topic_incarnation', 'first_change.kafka_offset']
) -%}
{%- set first_generation = kafka_cdc.sequence_generation(
    incarnation='first_change.topic_incarnation',
    offset='first_change.kafka_offset'
) -%}
{%- set last_generation = kafka_cdc.sequence_generation(
    incarnation='last_change.topic_incarnation',
    offset='last_change.kafka_offset'
) -%}
{%- set earlier = 'order by first_change rows between unbounded preceding and 1 preceding' -%}
with generations as (
    select
        *,
        {{ first_generation | indent(8) }} as first_generation,
        {{ last_generation | indent(8) }} as last_generation
    from {{ batch_stats }}
    where
        sequenced_changes > 0
        {%- if kafka_cdc.has_table_setting('order_by', ['offset', 'kafka_timestamp']) %}
        and {{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(8) }} = 'sequence'
        {%- endif %}
),

sequenced as (
    select
        *,
        lag(struct(last_change, highest_sequence, landing_batch)) over (
            partition by {{ partition }} order by first_change
        ) as before,
        max(last_change) over (partition by {{ partition }} {{ earlier }}) as reached,
        -- of a batch in which a generation begins, only the last change is known to be of the new one
        max(if(first_generation = last_generation, highest_sequence, last_change.source_sequence)) over (
            partition by {{ partition }}, last_generation {{ earlier }}
        ) as reached_sequence
    from generations
),

falls as (
    select
        {{ partition }},
        first_change as fall,
        last_occurred_at as fell_at,
        lowest_sequence as low,
        greatest(highest_sequence, before.highest_sequence, reached_sequence) as high
    from sequenced
    where
        (
            -- within the batch
            sequence_falls > 1
            or sequence_falls = 1
            and not {{ is_configured_inside }}
            -- the offsets of batches overlap
            or first_change < reached
            -- below the batch before, or below earlier ones
            or first_change.source_sequence < before.last_change.source_sequence
            and not {{ is_configured_between }}
            or first_generation = last_generation
            and lowest_sequence < reached_sequence
        )
        {%- if unchecked %}
        and {{ unchecked | indent(8) }}
        {%- endif %}
),

around as (
    select
        {%- for column in ['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns() %}
        falls.{{ column }},
        {%- endfor %}
        landing_batch,
        fall,
        low,
        high,
        first_change,
        last_change,
        lowest_sequence,
        highest_sequence,
        min(
            if(
                last_change > fall and highest_sequence > high and coalesce(last_occurred_at >= fell_at, true),
                first_change,
                null
            )
        ) over (partition by falls.{{ partition | replace(', ', ', falls.') }}, fall) as passing
    from falls
    inner join sequenced using (kafka_topic, kafka_partition, source_name, source_tenant)
)

select distinct
    {{ partition }},
    landing_batch
from around
where
    lowest_sequence <= high and highest_sequence >= low
    or last_change >= fall and (passing is null or first_change <= passing)
{%- endmacro %}
