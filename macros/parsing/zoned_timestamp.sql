{#
  Prints SQL for the timestamp that a text says, yyyy-MM-dd HH:mm:ss with a space or T and with or without a fraction. Its own
  zone counts, Z or an offset; a text without one is in `zone` (SQL for a name or an offset), by default the topic's `timezone`.
  Null without a zone, where the text is no such time, and for an hour that the clock of the zone repeats or leaves out.
#}
{% macro zoned_timestamp(text, zone='settings.timezone') -%}
    case
        when {{ kafka_cdc.timestamp_text_condition(text, '') }} then {{ kafka_cdc.instant_of(text, zone) | indent(8) }}
        when {{ kafka_cdc.timestamp_text_condition(text, '(?:Z| ?[+-][0-9]{2}:[0-9]{2})') }} then try_cast({{ text }} as timestamp)
    end
{%- endmacro %}
