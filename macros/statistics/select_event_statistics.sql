{#
  Prints a SELECT: the rows of event_batch_stats, without the column `columns`.

  It checks in each Kafka partition and source table of a batch whether the vendor's sequence falls.
  Tables are checked separately, because tables may take turns in a partition.

  Arguments:
    events (relation): the model events.
    batches (optional[dict[integer, integer]]): from get_batches_to_summarize. The fingerprint of
      each batch becomes a literal in `events_version`. None for all batches, without fingerprints.
#}
{% macro select_event_statistics(events, batches) -%}
{%- set stream = kafka_cdc.get_stream_columns() -%}
{%- set position = 'struct(topic_incarnation, kafka_offset, row_index, source_sequence)' -%}
{%- set rising_sequence = kafka_cdc.rising_sequence() -%}
select
    {{ stream | join(',\n    ') }},
    {{ kafka_cdc.events_version(batches) | indent(4) }} as events_version,
    min(kafka_offset) as first_offset,
    max(kafka_offset) as last_offset,
    max(kafka_timestamp) as last_kafka_timestamp,
    max(landed_at) as landed_at,
    max(occurred_at) as last_occurred_at,
    max(emitted_at) as last_emitted_at,
    max(if(operation = 'snapshot', {{ kafka_cdc.happened_at() }}, null)) as last_snapshot_at,
    min(if(rising_sequence is null, null, {{ position }})) as first_change,
    max(if(rising_sequence is null, null, {{ position }})) as last_change,
    min(rising_sequence) as lowest_sequence,
    max(rising_sequence) as highest_sequence,
    min(
        if(
            rising_sequence < previous.source_sequence,
            struct(kafka_offset, previous.kafka_offset as previous_offset),
            null
        )
    ) as first_fall,
    {%- for name, condition in kafka_cdc.get_event_counts().items() %}
    count_if({{ condition }}) as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
    select
        *,
        {{ kafka_cdc.ordering_sequence() }} as sequence,
        {{ rising_sequence }} as rising_sequence,
        last_value(if({{ rising_sequence }} is null, null, {{ position }}), true) over (
            partition by {{ stream | join(', ') }}
            order by kafka_offset, row_index
            rows between unbounded preceding and 1 preceding
        ) as previous,
        lag(operation) over (
            partition by landing_batch, kafka_topic, topic_incarnation, kafka_partition
            order by kafka_offset, row_index
        ) as previous_operation,
        {{ kafka_cdc.following_event() | indent(4) }} as following
    from {{ events }}
    {%- if batches is not none %}
    where {{ kafka_cdc.in_batches_condition(batches) }}
    {%- endif %}
) as events
group by {{ stream | join(', ') }}
{%- endmacro %}
