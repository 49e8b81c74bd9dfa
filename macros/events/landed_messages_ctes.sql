{#
  Prints the CTEs `framed`, `unframed`, `texts` and `messages`: the landed messages, ready to parse.

  The CTE `messages` adds these columns:
  * settings: the topic's settings, see topic_settings.
  * value: the payload as text. JSON inside frames is unpacked, see unpacked_message.
  * unread, unread_key: the reject of a framed value or key that cannot be read, else null.
  * is_tombstone: the value is null or blank, or the envelope of a null.
  * sentinel, number_marker: see json_sentinel and number_marker.
  * guarded_value: the text that is parsed, see json_between_sentinels.

  Arguments:
    batches (optional[list[integer]]): the landing batches to read, or none for all of them.
    formats (optional[list[string]]): the formats that their messages may have, or none for all. Only
      messages of these are unpacked.
#}
{% macro landed_messages_ctes(batches=none, formats=none) -%}
    {%- set schemas = kafka_cdc.get_schemas(batches) -%}
framed as (
    select
        *,
        {{ kafka_cdc.topic_settings('topic') | indent(8) }} as settings,
        {{ kafka_cdc.unpacked_message(formats) | indent(8) }} as unpacked,
        {{ kafka_cdc.framed_bytes('value') | indent(4) }} as frame,
        {{ kafka_cdc.framed_bytes('key') | indent(4) }} as key_frame,
        {{ kafka_cdc.frame_schema_id('frame') }} as schema_id,
        {{ kafka_cdc.frame_schema_id('key_frame') }} as key_schema_id
    from {{ kafka_cdc.get_raw_relation() }}
    {%- if batches is not none %}
    where {{ kafka_cdc.in_batches_condition(batches) }}{{ kafka_cdc.offset_range_condition(batches) }}
    {%- endif %}
),

-- Avro or JSON from a schema registry's serializer becomes JSON text.
unframed as (
    select
        *,
        {{ kafka_cdc.framed_text('frame', 'schema_id', schemas) | indent(4) }} as framed_value,
        {{ kafka_cdc.framed_text('key_frame', 'key_schema_id', schemas, is_value=false) | indent(4) }} as framed_key
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
        coalesce(unpacked.text, framed_value, value) as value,
        landed_at,
        landing_batch,
        settings,
        if(
            unpacked.problem is null,
            {{ kafka_cdc.frame_reject('schema_id', 'framed_value', schemas) | indent(8) }},
            {{ kafka_cdc.reject_struct('invalid_frame', 'unpacked.problem') }}
        ) as unread,
        {{ kafka_cdc.frame_reject('key_schema_id', 'framed_key', schemas) | indent(4) }} as unread_key
    from unframed
),

messages as (
    select
        *,
        {{ kafka_cdc.tombstone_condition('value') }} as is_tombstone,
        {{ kafka_cdc.json_sentinel('value') }} as sentinel,
        {{ kafka_cdc.number_marker('value', 'sentinel') | indent(8) }} as number_marker,
        {{ kafka_cdc.json_between_sentinels(kafka_cdc.exact_text(), 'sentinel') | indent(8) }} as guarded_value
    from texts
)
{%- endmacro %}
