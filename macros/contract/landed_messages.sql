{#
  Prints the CTE messages: the landed messages of the batches (none for all), each with what the setting
  topics says of its topic, its seal, its number_mark where its numbers need care, and sealed_value, the text that is parsed; and the CTEs before it.
#}
{% macro landed_messages(batches=none) -%}
    {%- set schemas = get_schemas(batches) -%}
framed as (
    select
        *,
        {{ topic_settings('topic') | indent(8) }} as settings,
        {{ framed_bytes('value') | indent(4) }} as frame,
        {{ framed_bytes('key') | indent(4) }} as key_frame,
        {{ frame_schema('frame') }} as schema_id,
        {{ frame_schema('key_frame') }} as key_schema_id
    from {{ get_raw() }}
    {%- if batches is not none %}
    where {{ is_in_batches(batches) }}{{ within_offsets(batches) }}
    {%- endif %}
),

-- What a schema registry's serializer has framed, Avro or JSON, becomes the JSON text that it says.
unframed as (
    select
        *,
        {{ framed_text('frame', 'schema_id', schemas) | indent(4) }} as framed_value,
        {{ framed_text('key_frame', 'key_schema_id', schemas, is_value=false) | indent(4) }} as framed_key
    from framed
),

texts as (
    select
        topic as kafka_topic,
        topic_incarnation,
        `partition` as kafka_partition,
        `offset` as kafka_offset,
        `timestamp` as kafka_timestamp,
        coalesce(framed_key, key) as kafka_key,
        coalesce(framed_value, value) as value,
        landed_at,
        landing_batch,
        settings,
        {{ unread_frame('schema_id', 'framed_value', schemas) | indent(4) }} as unread,
        {{ unread_frame('key_schema_id', 'framed_key', schemas) | indent(4) }} as unread_key
    from unframed
),

messages as (
    select
        *,
        coalesce(ltrim(' \t\r\n', value), '') = '' as is_tombstone,
        {{ json_seal('value') }} as seal,
        {{ number_mark('value', 'seal') | indent(8) }} as number_mark,
        {{ sealed_json(exact_text(), 'seal') | indent(8) }} as sealed_value
    from texts
)
{%- endmacro %}
