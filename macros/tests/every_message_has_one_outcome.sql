{#
  Fails for every landing batch and topic of which events does not hold each landed message exactly once. Reads the batches
  inside the look-back window, and of them only the columns that it counts by. Not its business: batches that landed while
  the run was under way, and batches that raw no longer holds. A mapped raw table grows and loses messages at any time: there it fails
  for messages that events holds twice, and for those that events lacks though the table has had them for a day (by landed_at, where that is mapped).
#}
{% test every_message_has_one_outcome(model) %}
{%- set look_back = kafka_cdc.get_lookback_condition(model) -%}
{%- set conditions = [look_back] if look_back else [] -%}
{%- if kafka_cdc.get_raw_column_mapping() -%}
{%- set place = kafka_cdc.get_message_coordinates() | join(', ') ~ ', landing_batch' -%}
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
from {{ kafka_cdc.get_raw_relation() }} as landed
left anti join {{ model }} as processed
    on landed.landing_batch = processed.landing_batch and {{ kafka_cdc.same_message_condition('landed', 'processed') }}
where {{ (conditions + ['landed_at < current_timestamp() - interval 1 day']) | join(' and ') }}
group by landing_batch, topic
{%- else -%}
with counts as (
    select landing_batch, topic, messages as landed, 0 as outcomes
    from (
        {{ kafka_cdc.select_message_counts(source('raw', 'kafka_messages'), ['landing_batch', 'topic'], conditions) | indent(4) }}
    ) as of_raw
    union all
    select landing_batch, kafka_topic, 0, messages
    from (
        {{ kafka_cdc.select_message_counts(model, ['landing_batch', 'kafka_topic'], conditions + ['row_index = 0']) | indent(4) }}
    ) as of_events
)

select concat(
    'batch ', landing_batch, ', topic ', topic, ': ', landed, ' messages landed, ', outcomes,
    ' have an outcome; the next dbt build reads the batch, unless raw has lost messages of it (then set lookback_days below what raw keeps)'
) as finding
from (
    select
        landing_batch, topic,
        sum(landed) as landed,
        sum(outcomes) as outcomes,
        sum(sum(landed)) over (partition by landing_batch) > 0 and sum(sum(outcomes)) over (partition by landing_batch) > 0 as is_in_both
    from counts
    group by landing_batch, topic
) as topics
where landed <> outcomes and is_in_both
{%- endif %}
{% endtest %}
