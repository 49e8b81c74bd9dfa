{#
  Prints a SELECT: messages with `recognized_formats`, the slugs of the formats that could have
  written them, and `source_format`, which is the only one of these, or null.

  If formats are given, no message is parsed to recognize it. Messages of other topics are left to
  the next run: they landed after the formats were determined.

  The formats that are recognized are what `explode` yields from an array of one element. Spark computes a
  column again for each condition on it, but not what `explode` yields, see ADR 0020.

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
    array(settings.format) as recognized_formats,
    settings.format as source_format
    {%- else %}
    recognition.recognized_formats,
    if(size(recognition.recognized_formats) = 1, recognition.recognized_formats[0], null) as source_format
    {%- endif %}
from {{ messages }}
{%- if formats %}
where settings.format in ({{ slugs }})
{%- else %}
lateral view explode(array(
    case
        when settings.format is not null then array(settings.format)
        when not is_tombstone then {{ kafka_cdc.recognized_formats('value') | indent(12) }}
    end
)) recognition as recognized_formats
{%- endif %}
{%- endmacro %}
