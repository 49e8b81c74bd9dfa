{#
  Fails for every landing batch and topic of which events does not hold each landed message exactly once. Reads the batches
  inside the look-back window, and of them only the columns that it counts by.
#}
{% test every_message_has_one_outcome(model) %}
{%- set look_back = get_look_back(model) -%}
{%- set conditions = [look_back] if look_back else [] -%}
with landed as (
    {{ count_messages(source('raw', 'kafka_messages'), ['landing_batch', 'topic'], conditions) }}
),

outcomes as (
    {{ count_messages(model, ['landing_batch', 'kafka_topic'], conditions + ['row_index = 0']) }}
)

select concat(
    'batch ', coalesce(landed.landing_batch, outcomes.landing_batch), ', topic ', coalesce(landed.topic, outcomes.kafka_topic), ': ',
    coalesce(landed.messages, 0), ' messages landed, ', coalesce(outcomes.messages, 0), ' have an outcome; the next dbt build reads the batch'
) as finding
from outcomes
left join landed on landed.landing_batch = outcomes.landing_batch and landed.topic = outcomes.kafka_topic
where coalesce(landed.messages, 0) <> outcomes.messages
{% endtest %}
