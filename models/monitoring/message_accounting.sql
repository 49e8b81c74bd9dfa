-- One row per landing batch and topic: every landed message has one outcome, so unaccounted is 0 once a run has read the batch.
with landed as (
    {{ count_messages(source('raw', 'kafka_messages'), ['landing_batch', 'topic'], []) }}
),

outcomes as (
    select
        landing_batch,
        kafka_topic as topic,
        min(landed_at) as landed_at,
        count_if(row_index = 0) as messages,
        count_if(event_kind = 'change') as changes,
        count_if(event_kind = 'change' and row_index = 0) as change_messages,
        count_if(event_kind = 'ddl') as ddl_messages,
        count_if(event_kind not in ('change', 'ddl', 'rejected')) as control_messages,
        count_if(event_kind = 'rejected') as rejected_messages
    from {{ ref('events') }}
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
    coalesce(landed.messages, 0) - coalesce(outcomes.messages, 0) as unaccounted_messages
from landed
full join outcomes using (landing_batch, topic)
