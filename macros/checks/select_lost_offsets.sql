{#
  Prints a SELECT: a finding for each topic with offsets that Kafka deleted before landing.

  Lost offsets are new if landing noticed them after the newest published batch. max_lost in `expect`
  of an entry in topics sets how many offsets are accepted. The default is 0.

  Arguments:
    offsets (relation): the table of landing with the ranges of offsets.
    batch_stats (relation): the model event_batch_stats.
    new_batches (optional[list[integer]]): from get_unpublished_batches; none: all batches.
#}
{% macro select_lost_offsets(offsets, batch_stats, new_batches) -%}
{%- set settings = kafka_cdc.get_topic_settings() -%}
select concat(
    'topic ', topic, ': Kafka deleted ', offsets,
    if(offsets = 1, ' offset before landing read it', ' offsets before landing read them'),
    ', for example from partition ',
    first_range.`partition`, ', offset ', first_range.first_offset, '. The model unread_offsets lists them. ',
    'Land more often, or raise the retention of the topic. ',
    'To accept as many, add to topics: expect: {max_lost: ', offsets, '}'
) as finding
from (
    select
        topic,
        topic as kafka_topic,
        sum(next_offset - first_offset) as offsets,
        min(struct(recorded_at, `partition`, first_offset)) as first_range
    from {{ offsets }}
    where
        outcome = 'lost'
        {%- if new_batches is not none %}
        and recorded_at > (
            select coalesce(max(landed_at), timestamp_seconds(0))
            from {{ batch_stats }}
            where not ({{ kafka_cdc.in_batches_condition(new_batches) }})
        )
        {%- endif %}
    group by topic
) as losses
where offsets > coalesce({{ kafka_cdc.topic_expectation(settings, 'max_lost') | indent(4) }}, 0)
{%- endmacro %}
