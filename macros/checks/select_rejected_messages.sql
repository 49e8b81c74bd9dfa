{#
  Prints a SELECT: a finding for each topic with new rejected messages.

  A message is new until its landing batch is published, so that each batch warns once. max_rejected
  in `expect` of an entry in topics sets how many messages of a build are accepted. The default is 0.

  Arguments:
    events (relation): the model events.
    new_batches (optional[list[integer]]): from get_unpublished_batches; none: all batches.
#}
{% macro select_rejected_messages(events, new_batches) -%}
{%- set settings = kafka_cdc.get_topic_settings() -%}
with rejects as (
    select
        kafka_topic,
        reject_code,
        count(*) as messages,
        min(struct(landed_at, kafka_partition, kafka_offset)) as first_message
    from {{ events }}
    where
        event_kind = 'rejected'
        {%- if new_batches is not none %}
        and {{ kafka_cdc.in_batches_condition(new_batches) }}
        {%- endif %}
    group by kafka_topic, reject_code
),

rejects_of_topics as (
    select
        kafka_topic,
        sum(messages) as messages,
        array_join(array_sort(collect_list(concat(reject_code, ' ', messages))), ', ') as codes,
        min(first_message) as first_message
    from rejects
    group by kafka_topic
)

select concat(
    'topic ', kafka_topic, ': ', messages, if(messages = 1, ' new message was', ' new messages were'),
    ' rejected (', codes, '), for example partition ',
    first_message.kafka_partition, ', offset ', first_message.kafka_offset, '. The model quarantine has the reasons. ',
    'To read them again after a change: dbt build --vars "{replay: quarantine}". ',
    'To accept as many in a build, add to topics: expect: {max_rejected: ', messages, '}'
) as finding
from rejects_of_topics
where messages > coalesce({{ kafka_cdc.topic_expectation(settings, 'max_rejected') | indent(4) }}, 0)
{%- endmacro %}
