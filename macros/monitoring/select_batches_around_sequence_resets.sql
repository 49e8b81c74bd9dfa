{#
  Prints a SELECT: the landing batches in which a vendor's sequence may have been reset.

  A sequence may have been reset if it falls while the offsets rise. It can fall within a batch, or
  from one batch to the next. Batches whose offsets overlap count as well. Falls that a line of the
  setting sequence_resets explains do not count.

  Batches with sequences between the two values of a fall are included. They may contain the
  original delivery of the changes after the fall, which then are redeliveries.

  Columns: kafka_topic, kafka_partition, the columns that name the source table, and landing_batch.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_batches_around_sequence_resets(batch_stats) -%}
{%- set partition = (['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns()) | join(', ') -%}
{%- set is_configured_inside = kafka_cdc.configured_reset_condition(
    after=['topic_incarnation', 'first_fall.previous_offset'],
    until=['topic_incarnation', 'first_fall.kafka_offset']
) -%}
{%- set is_configured_between = kafka_cdc.configured_reset_condition(
    after=['before.last_change.topic_incarnation', 'before.last_change.kafka_offset'],
    until=['first_change.topic_incarnation', 'first_change.kafka_offset']
) -%}
with sequenced as (
    select
        *,
        lag(struct(last_change, highest_sequence)) over (
            partition by {{ partition }} order by first_change
        ) as before,
        max(last_change) over (
            partition by {{ partition }} order by first_change rows between unbounded preceding and 1 preceding
        ) as reached
    from {{ batch_stats }}
    where
        sequenced_changes > 0
        {%- if kafka_cdc.has_table_setting('order_by', ['offset', 'kafka_timestamp']) %}
        and {{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(8) }} = 'sequence'
        {%- endif %}
),

falls as (
    select
        {{ partition }},
        lowest_sequence as low,
        greatest(highest_sequence, before.highest_sequence) as high
    from sequenced
    where
        -- within the batch
        sequence_falls > 1
        or sequence_falls = 1
        and not {{ is_configured_inside }}
        -- the offsets of batches overlap
        or first_change < reached
        -- from the batch before
        or first_change.source_sequence < before.last_change.source_sequence
        and not {{ is_configured_between }}
)

select distinct
    {{ partition }},
    landing_batch
from sequenced
inner join falls using ({{ partition }})
where lowest_sequence <= high and highest_sequence >= low
{%- endmacro %}
