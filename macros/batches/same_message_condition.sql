{# Prints a SQL condition: that a row of raw (alias `landed`) is the message that an event (alias `event`) came from. #}
{% macro same_message_condition(landed, event) -%}
    {%- for column in kafka_cdc.get_message_coordinates() %}
        {{- 'and ' if not loop.first }}{{ landed }}.`{{ column | replace('kafka_', '') }}` = {{ event }}.{{ column }}{{ ' ' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
