{#
  Warns of topics with new rejected messages, and of topics with offsets that Kafka deleted before landing.

  A message is new until its landing batch is published, so that each batch warns once. Lost offsets
  are new if landing noticed them after the newest published batch. `expect` of an entry in topics
  sets how many are accepted: max_rejected messages per build, and max_lost offsets. The default is 0.

  Arguments:
    model (relation): the model event_batch_stats.
#}
{% test messages_are_read(model) %}
{{ config(severity='warn') }}
{%- set events = ref('kafka_cdc', 'events') -%}
{%- set offsets = source('raw', 'kafka_messages_offsets') -%}
{%- set settings = kafka_cdc.get_topic_settings() -%}
{%- set published = kafka_cdc.get_published_batches(events) -%}
{%- set new_batches = kafka_cdc.in_batches_condition(published.unpublished_batches) -%}
{%- set has_published = published.last_published_batch is not none %}
with rejects as (
    select
        kafka_topic,
        reject_code,
        count(*) as messages,
        min(struct(landed_at, kafka_partition, kafka_offset)) as first_message
    from {{ events }}
    where event_kind = 'rejected'{% if has_published %} and {{ new_batches }}{% endif %}
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
{%- if execute and load_relation(offsets) is not none %}
union all
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
        {%- if has_published %}
        and recorded_at > (
            select coalesce(max(landed_at), timestamp_seconds(0))
            from {{ model }}
            where not ({{ new_batches }})
        )
        {%- endif %}
    group by topic
) as losses
where offsets > coalesce({{ kafka_cdc.topic_expectation(settings, 'max_lost') | indent(4) }}, 0)
{%- endif %}
{% endtest %}
