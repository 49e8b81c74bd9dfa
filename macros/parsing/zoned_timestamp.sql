{#
  Prints an expression: the timestamp of a text, yyyy-MM-dd HH:mm:ss with or without a fraction.

  Between date and time there is a space or a T. If the text has a zone, Z or an offset, it counts.
  Otherwise `zone` counts. The result is null in these cases:
  * There is no zone.
  * The text is no such timestamp.
  * The clock of the zone skips or repeats that hour.

  Arguments:
    text (string): SQL of the text.
    zone (string): SQL of a zone's name or offset. By default the topic's setting `timezone`.
#}
{% macro zoned_timestamp(text, zone='settings.timezone') -%}
    case
        when {{ kafka_cdc.timestamp_text_condition(text, '') }}
            then {{ kafka_cdc.instant_of(text, zone) | indent(8) }}
        when {{ kafka_cdc.timestamp_text_condition(text, '(?:Z| ?[+-][0-9]{2}:[0-9]{2})') }}
            then try_cast({{ text }} as timestamp)
    end
{%- endmacro %}
