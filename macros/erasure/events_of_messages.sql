{#
  Prints a relation: all events of the messages that have an event that meets a condition.

  Arguments:
    events (relation): the model events.
    condition (string): SQL of the condition.
#}
{% macro events_of_messages(events, condition) -%}
(
            select *
            from {{ events }}
            left semi join (select * from {{ events }} where {{ condition }}) as matching
                using ({{ kafka_cdc.get_message_coordinates() | join(', ') }})
        )
{%- endmacro %}
