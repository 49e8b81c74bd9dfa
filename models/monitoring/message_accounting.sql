-- One row per landing batch and topic, with the outcomes of its messages (landing_batch, topic).
-- Every landed message has one outcome, so unaccounted_messages is 0 after a run has read the batch.
{%- set is_mapped = kafka_cdc.get_raw_column_mapping() != {} %}
with landed as (
    {{ kafka_cdc.select_message_counts(kafka_cdc.get_raw_relation(), ['landing_batch', 'topic'], []) }}
),
{% if is_mapped %}
-- A mapped raw table may lose as many messages as arrive late. Their number would not show that.
unread as (
    select
        landed.landing_batch,
        landed.topic,
        count(*) as messages
    from {{ kafka_cdc.get_raw_relation() }} as landed
    left anti join {{ ref('kafka_cdc', 'events') }} as processed
        on
            landed.landing_batch = processed.landing_batch
            and {{ kafka_cdc.same_message_condition('landed', 'processed') }}
    group by landed.landing_batch, landed.topic
),
{% endif %}
outcomes as (
    select
        landing_batch,
        kafka_topic as topic,
        min(landed_at) as landed_at,
        sum(messages) as messages,
        sum(changes + truncates) as changes,
        sum(change_messages) as change_messages,
        sum(ddl_messages) as ddl_messages,
        sum(control_messages) as control_messages,
        sum(rejected_messages) as rejected_messages
    from {{ ref('kafka_cdc', 'event_batch_stats') }}
    group by landing_batch, kafka_topic
)

select
    landing_batch,
    topic,
    outcomes.landed_at,
    coalesce(landed.messages, 0) as landed_messages,
    {%- for column in ['change_messages', 'ddl_messages', 'control_messages', 'rejected_messages', 'changes'] %}
    coalesce(outcomes.{{ column }}, 0) as {{ column }},
    {%- endfor %}
    {%- if is_mapped %}
    coalesce(unread.messages, 0) as unaccounted_messages
    {%- else %}
    coalesce(landed.messages, 0) - coalesce(outcomes.messages, 0) as unaccounted_messages
    {%- endif %}
from landed
full join outcomes using (landing_batch, topic)
{%- if is_mapped %}
left join unread using (landing_batch, topic)
{%- endif %}
