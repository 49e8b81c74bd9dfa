{# Prints a relation: all events of the messages that have an event which fulfils the condition. events: their relation. #}
{% macro events_of_messages(events, condition) -%}
(
            select *
            from {{ events }}
            left semi join (select * from {{ events }} where {{ condition }}) as of_row using ({{ kafka_cdc.get_message_coordinates() | join(', ') }})
        )
{%- endmacro %}
