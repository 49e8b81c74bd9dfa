{#
  Prints the SELECT that adds to messages (of landed_messages) the format that each is in: source_format, a slug or null.
  formats: the slugs that the setting topics gives the messages, so that none needs recognising; none where it must be tried.
  Messages of other topics, which landed since the formats were asked for, are then left to the next run.
#}
{% macro select_recognized_messages(messages, formats=none) -%}
{%- set slugs = "'" ~ (formats or []) | join("', '") ~ "'" -%}
select
    kafka_topic,
    topic_incarnation,
    kafka_partition,
    kafka_offset,
    kafka_timestamp,
    kafka_key,
    value,
    landed_at,
    landing_batch,
    settings,
    unread,
    unread_key,
    is_tombstone,
    sentinel,
    number_marker,
    guarded_value,
    {%- if formats %}
    settings.format as source_format
    {%- else %}
    case
        when settings.format is not null then settings.format
        when not is_tombstone then {{ kafka_cdc.recognized_format('value') | indent(12) }}
    end as source_format
    {%- endif %}
from {{ messages }}
{%- if formats %}
where settings.format in ({{ slugs }})
{%- endif %}
{%- endmacro %}
