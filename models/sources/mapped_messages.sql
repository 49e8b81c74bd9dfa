-- One row per Kafka message and landing batch (topic, topic_incarnation, partition, offset, landing_batch) of a raw
-- table that another tool writes. The setting raw_column_mapping maps its columns. If the tool writes at least once,
-- copies of a message are deduplicated.
{%- set columns = kafka_cdc.get_raw_column_mapping() -%}
{{ config(enabled=columns != {}) }}
{%- do kafka_cdc.check_raw() %}
{%- set message_id = 'landing_batch, topic, topic_incarnation, `partition`, `offset`' %}
with mapped as (
    select
        cast({{ columns.topic }} as string) as topic,
        cast({{ columns.topic_incarnation }} as int) as topic_incarnation,
        cast({{ columns.partition }} as int) as `partition`,
        cast({{ columns.offset }} as bigint) as `offset`,
        cast({{ columns.timestamp }} as timestamp) as `timestamp`,
        cast({{ columns.key }} as string) as key,
        {{ columns.value }} as payload,
        cast({{ columns.headers }} as array<struct<key: string, value: binary>>) as headers,
        cast({{ columns.landed_at }} as timestamp) as landed_at,
        cast({{ columns.landing_batch }} as bigint) as landing_batch
    from {{ source('raw', 'kafka_messages') }}
),

-- A message without coordinates cannot be distinguished from others. The run stops instead of losing it.
identified as (
    select
        *,
        if(
            typeof(payload) = 'binary' and {{ kafka_cdc.topic_settings('topic') | indent(12) }}.encoding <=> 'base64',
            replace(base64(cast(payload as binary)), '\r\n', ''),
            cast(payload as string)
        ) as text
    from mapped
    where if(
        topic is null or topic_incarnation is null or `partition` is null or `offset` is null or landing_batch is null,
        raise_error(
            'a message of the raw table has no topic, topic_incarnation, partition, offset or landing_batch by the setting raw_column_mapping'
        ),
        true
    )
),

copies as (
    select
        *,
        row_number() over (partition by {{ message_id }} order by landed_at nulls last, `timestamp` nulls last) as copy,
        min(xxhash64(key, text)) over (partition by {{ message_id }})
        <> max(xxhash64(key, text)) over (partition by {{ message_id }}) as has_different_copies
    from identified
)

select
    {%- for column in columns if column != 'value' %}
    `{{ column }}`,
    {%- endfor %}
    -- Copies of one message are equal. Different messages with the same coordinates are of different topics with the
    -- same name, which the setting must distinguish.
    if(
        has_different_copies,
        raise_error(concat(
            'two different messages of the raw table have topic ', topic, ', partition ', `partition`, ', offset ', `offset`,
            '. Hint: map them to different topics or incarnations, in raw_column_mapping.topic or raw_column_mapping.topic_incarnation'
        )),
        text
    ) as value
from copies
where copy = 1
