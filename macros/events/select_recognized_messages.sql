{#
  Prints a SELECT: messages with `recognized_formats`, the slugs of the formats that could have
  written them, and `source_format`, which is the only one of these, or null.

  If topics are given, no message is parsed to recognize it. A message of another topic or format
  landed after the formats were determined, and is left to the next run.

  The formats that are recognized are what `explode` yields from an array of one element. Spark computes a
  column again for each condition on it, but not what `explode` yields, see ADR 0020.

  Arguments:
    messages (string): the name of the CTE with the columns of landed_messages_ctes.
    formats (optional[list[string]]): the formats that the messages may have. None: any.
    topics (optional[dict[string, list[string]]]): the topics that the setting `topics` does not map, by
      the one format of their messages. None: recognize each message whose topic is not mapped.
#}
{% macro select_recognized_messages(messages, formats=none, topics=none) -%}
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
    {%- if topics is none %}
    recognition.recognized_formats,
    if(size(recognition.recognized_formats) = 1, recognition.recognized_formats[0], null) as source_format
from {{ messages }}
lateral view explode(array(
    case
        when settings.format is not null then array(settings.format)
        when not is_tombstone then {{ kafka_cdc.recognized_formats('value') | indent(12) }}
    end
)) recognition as recognized_formats
    {%- else %}
    array(source_format) as recognized_formats,
    source_format
from (
    select
        *,
        case
            when settings.format is not null or is_tombstone then settings.format
            {%- for format, names in topics.items() if names %}
            when kafka_topic in (
                {%- for name in names %}
                {{ kafka_cdc.sql_literal(name) }}{{ ',' if not loop.last }}
                {%- endfor %}
            ) then '{{ format }}'
            {%- endfor %}
        end as source_format
    from {{ messages }}
)
where coalesce(source_format in ('{{ formats | join("', '") }}'), is_tombstone)
    {%- endif %}
{%- endmacro %}
