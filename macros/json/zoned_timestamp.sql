{#
  Prints SQL for the timestamp that a text says, yyyy-MM-dd HH:mm:ss with a space or T and with or without a fraction. Its own
  zone counts, Z or an offset; a text without one is in `zone` (SQL for a name or an offset), by default the topic's `timezone`.
  Null without a zone, and where the text is no such time.
#}
{% macro zoned_timestamp(text, zone='settings.timezone') -%}
    try_cast(
        case
            when {{ says_time(text, '') }} then concat({{ text }}, ' ', {{ zone }})
            when {{ says_time(text, '(?:Z| ?[+-][0-9]{2}:[0-9]{2})') }} then {{ text }}
        end as timestamp
    )
{%- endmacro %}
