{#
  Prints a condition: a row of raw is the message that an event came from.

  Arguments:
    landed (string): the alias of raw.
    event (string): the alias of events.
#}
{% macro same_message_condition(landed, event) -%}
    {%- for column in kafka_cdc.get_message_coordinates() %}
        {{- 'and ' if not loop.first }}{{ landed }}.`{{ column | replace('kafka_', '') }}` = {{ event }}.{{ column }}
        {{- ' ' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
