{#
  Fails for every landing batch and topic whose messages are not in events exactly once.

  Only batches within lookback_days are checked, and only the columns needed to count are read.
  Batches that landed during the run, and batches that raw no longer has, are not checked.

  A raw table of another tool gains and loses messages at any time. There the test fails for
  messages that events has twice, also in two landing batches, because the changelog would have them
  twice. It also fails for messages that events lacks although they have been in the table for a day
  by landed_at, if that column is mapped.

  Arguments:
    model (relation): the model events.
#}
{% test every_message_has_one_outcome(model) %}
{#- dbt passes a model of that name in the project that installs this one, if there is one. -#}
{%- set model = ref('kafka_cdc', 'events') -%}
{%- set lookback = kafka_cdc.get_lookback_condition() -%}
{%- set conditions = [lookback] if lookback else [] -%}
{%- if kafka_cdc.get_raw_column_mapping() -%}
{%- set identity = kafka_cdc.get_message_coordinates() | join(', ') ~ ', landing_batch' -%}
select concat(
    'a message is in events ', count(*), ' times: ', to_json(struct({{ identity }})),
    '. Run dbt build --vars "{replay: all}"'
) as finding
from {{ model }}
where {{ (conditions + ['row_index = 0']) | join(' and ') }}
group by {{ identity }}
having count(*) > 1
union all
{{ kafka_cdc._messages_in_several_batches(model) }}
union all
select concat(
    'batch ', landing_batch, ', topic ', topic, ': ', count(*),
    ' messages that landed over a day ago have no outcome, for example partition ',
    min_by(`partition`, `offset`), ', offset ', min(`offset`), '. The next dbt build reads them'
) as finding
from {{ kafka_cdc.get_raw_relation() }} as landed
left anti join {{ model }} as processed
    on landed.landing_batch = processed.landing_batch
    and {{ kafka_cdc.same_message_condition('landed', 'processed') }}
where {{ (conditions + ['landed_at < current_timestamp() - interval 1 day']) | join(' and ') }}
group by landing_batch, topic
{%- else -%}
{%- set landed = kafka_cdc.select_message_counts(
    relation=source('raw', 'kafka_messages'),
    columns=['landing_batch', 'topic'],
    conditions=conditions
) -%}
{%- set outcomes = kafka_cdc.select_message_counts(
    relation=model,
    columns=['landing_batch', 'kafka_topic'],
    conditions=conditions + ['row_index = 0']
) -%}
with counts as (
    select
        landing_batch,
        topic,
        messages as landed,
        0 as outcomes
    from (
        {{ landed | indent(4) }}
    ) as landed
    union all
    select
        landing_batch,
        kafka_topic,
        0,
        messages
    from (
        {{ outcomes | indent(4) }}
    ) as outcomes
)

select concat(
    'batch ', landing_batch, ', topic ', topic, ': ', landed, ' messages landed and ', outcomes, ' have an outcome. ',
    'The next dbt build reads the batch. If raw has lost messages of it, ',
    'set lookback_days to less than the retention of raw'
) as finding
from (
    select
        landing_batch,
        topic,
        sum(landed) as landed,
        sum(outcomes) as outcomes,
        sum(sum(landed)) over (partition by landing_batch) > 0
            and sum(sum(outcomes)) over (partition by landing_batch) > 0 as is_in_both
    from counts
    group by landing_batch, topic
) as topics
where landed <> outcomes and is_in_both
{%- endif %}
{% endtest %}

{# Prints a SELECT: a finding for each message in two landing batches, up to 100. It reads coordinates only. #}
{% macro _messages_in_several_batches(events) -%}
select *
from (
    select concat(
        'topic ', kafka_topic, ', partition ', kafka_partition, ', offset ', kafka_offset,
        ' is in the landing batches ', array_join(sort_array(collect_set(landing_batch)), ', '),
        '. Set raw_column_mapping.landing_batch to a value that depends on the message alone, ',
        'such as the hour of its Kafka timestamp. If the topic was recreated, set ',
        'raw_column_mapping.topic_incarnation. ',
        'Then run dbt build --vars "{replay: all}"'
    ) as finding
    from {{ events }}
    where row_index = 0
    group by {{ kafka_cdc.get_message_coordinates() | join(', ') }}
    having count(distinct landing_batch) > 1
    limit 100
) as messages_in_several_batches
{%- endmacro %}
