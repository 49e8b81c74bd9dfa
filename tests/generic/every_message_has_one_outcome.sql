{#
  Fails for every landing batch and topic of which events does not hold each landed message exactly once. Reads the batches
  inside the look-back window, and of them only the columns that it counts by. Not its business: batches that landed while
  the run was under way, and batches that raw no longer holds. A mapped raw table grows and loses messages at any time: there it fails
  for messages that events holds twice, and for those that events lacks though the table has had them for a day (by landed_at, where that is mapped).
#}
{% test every_message_has_one_outcome(model) %}
{%- set look_back = get_look_back(model) -%}
{%- set conditions = [look_back] if look_back else [] -%}
{%- if get_raw_columns() -%}
{%- set place = get_message_coordinates() | join(', ') ~ ', landing_batch' -%}
select concat('held ', count(*), ' times in events: ', to_json(struct({{ place }}))) as finding
from {{ model }}
where {{ (conditions + ['row_index = 0']) | join(' and ') }}
group by {{ place }}
having count(*) > 1
union all
select concat(
    'batch ', landing_batch, ', topic ', topic, ': ', count(*), ' messages that the table has had for a day have no outcome, for example partition ',
    min_by(`partition`, `offset`), ', offset ', min(`offset`), '; the next dbt build reads them'
) as finding
from {{ get_raw() }} as landed
left anti join {{ model }} as processed
    on landed.landing_batch = processed.landing_batch and {{ is_message_of('landed', 'processed') }}
where {{ (conditions + ['landed_at < current_timestamp() - interval 1 day']) | join(' and ') }}
group by landing_batch, topic
{%- else -%}
with landed as (
    {{ count_messages(source('raw', 'kafka_messages'), ['landing_batch', 'topic'], conditions) }}
),

outcomes as (
    {{ count_messages(model, ['landing_batch', 'kafka_topic'], conditions + ['row_index = 0']) }}
)

select concat(
    'batch ', coalesce(landed.landing_batch, outcomes.landing_batch), ', topic ', coalesce(landed.topic, outcomes.kafka_topic), ': ',
    coalesce(landed.messages, 0), ' messages landed, ', coalesce(outcomes.messages, 0),
    ' have an outcome; the next dbt build reads the batch, unless raw has lost messages of it (then set look_back_days below what raw keeps)'
) as finding
from landed
full join outcomes on landed.landing_batch = outcomes.landing_batch and landed.topic = outcomes.kafka_topic
where
    coalesce(landed.messages, 0) <> coalesce(outcomes.messages, 0)
    and coalesce(landed.landing_batch, outcomes.landing_batch) in (select known.landing_batch from outcomes as known)
    and coalesce(landed.landing_batch, outcomes.landing_batch) in (select kept.landing_batch from landed as kept)
{%- endif %}
{% endtest %}
