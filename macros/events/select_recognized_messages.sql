{#
  Prints a SELECT: messages with `source_format`, the slug of their format, or null.

  If formats are given, no message is parsed to recognize it. Messages of other topics are left to
  the next run: they landed after the formats were determined.

  Arguments:
    messages (string): the name of the CTE with the columns of landed_messages_ctes.
    formats (optional[list[string]]): the formats to which the setting `topics` maps the messages.
      None: recognize each message whose topic is not mapped.
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
