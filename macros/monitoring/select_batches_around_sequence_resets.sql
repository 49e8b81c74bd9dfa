{#
  Prints the SELECT of the landing batches, Kafka partitions and source tables in which a vendor's sequence may have started anew: where it
  falls, in a batch or from one to the next by offset, or batches lie in each other, and no line of the setting sequence_resets explains it; with
  those that hold a sequence in between, as what falls may have been delivered before. profiles: the relation of event_batch_stats.
#}
{% macro select_batches_around_sequence_resets(profiles) -%}
{%- set partition = (['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns()) | join(', ') -%}
with sequenced as (
    select
        *,
        lag(struct(last_change, highest_sequence)) over (partition by {{ partition }} order by first_change) as before,
        max(last_change) over (
            partition by {{ partition }} order by first_change rows between unbounded preceding and 1 preceding
        ) as reached
    from {{ profiles }}
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
        sequence_falls > 1
        or sequence_falls = 1 and not {{ kafka_cdc.configured_reset_condition(['topic_incarnation', 'first_fall.previous_offset'], ['topic_incarnation', 'first_fall.kafka_offset']) }}
        or first_change < reached
        or first_change.source_sequence < before.last_change.source_sequence
        and not {{ kafka_cdc.configured_reset_condition(['before.last_change.topic_incarnation', 'before.last_change.kafka_offset'], ['first_change.topic_incarnation', 'first_change.kafka_offset']) }}
)

select distinct
    {{ partition }},
    landing_batch
from sequenced
inner join falls using ({{ partition }})
where lowest_sequence <= high and highest_sequence >= low
{%- endmacro %}
