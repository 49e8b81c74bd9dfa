{# Prints a SQL condition: that a row of raw (alias `landed`) is the message that an event (alias `event`) came from. #}
{% macro is_message_of(landed, event) -%}
    {%- for column in get_message_coordinates() %}
        {{- 'and ' if not loop.first }}{{ landed }}.`{{ column | replace('kafka_', '') }}` = {{ event }}.{{ column }}{{ ' ' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
