{#
  Prints the CTE messages: the landed messages of the batches (none for all), each with what the setting
  topics says of its topic, its seal, its number_mark where its numbers need care, and sealed_value, the text that is parsed.
#}
{% macro landed_messages(batches=none) -%}
messages as (
    select
        topic as kafka_topic,
        topic_incarnation,
        `partition` as kafka_partition,
        `offset` as kafka_offset,
        `timestamp` as kafka_timestamp,
        key as kafka_key,
        value,
        landed_at,
        landing_batch,
        {{ topic_settings('topic') | indent(8) }} as settings,
        coalesce(ltrim(' \t\r\n', value), '') = '' as is_tombstone,
        {{ json_seal('value') }} as seal,
        {{ number_mark('value', 'seal') | indent(8) }} as number_mark,
        {{ sealed_json(exact_text(), 'seal') | indent(8) }} as sealed_value
    from {{ source('raw', 'kafka_messages') }}
    {%- if batches is not none %}
    where {{ is_in_batches(batches) }}
    {%- endif %}
)
{%- endmacro %}
