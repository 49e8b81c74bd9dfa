{#
  Prints the MERGE that rewrites in raw the messages that say a forgotten row: what their events say besides, under the same coordinates.
  events: the relation of events. condition: on the events of the row. forgotten: the list.
#}
{% macro rewrite_payloads(events, condition, forgotten) -%}
{%- set identity = get_coordinates()[:4] | join(', ') -%}
merge into {{ source('raw', 'kafka_messages') }} as landed using (
    select
        {{ identity }},
        {{ rewritten_payload() | indent(8) }} as value
    from (
        {{ blank_forgotten_rows(_events_of_messages(events, condition), forgotten) | indent(8) }}
    ) as blanked
    group by {{ identity }}
) as rewritten
    on
        landed.topic = rewritten.kafka_topic
        and landed.topic_incarnation = rewritten.topic_incarnation
        and landed.`partition` = rewritten.kafka_partition
        and landed.`offset` = rewritten.kafka_offset
when matched and not landed.value <=> rewritten.value then update set value = rewritten.value, key = null, headers = null
{%- endmacro %}

{# Prints a relation: all events of the messages that have an event which fulfils the condition. #}
{% macro _events_of_messages(events, condition) -%}
(
            select *
            from {{ events }}
            left semi join (select * from {{ events }} where {{ condition }}) as of_row using ({{ get_coordinates()[:4] | join(', ') }})
        )
{%- endmacro %}

{# Prints the MERGE that blanks in events what says a forgotten row. The arguments are those of rewrite_payloads. #}
{% macro rewrite_events(events, condition, forgotten) -%}
merge into {{ events }} as held using (
    {{ blank_forgotten_rows(_events_of_messages(events, condition), forgotten) | indent(4) }}
) as blanked
    on
        {%- for coordinate in get_coordinates() %}
        {{ 'and ' if not loop.first }}held.{{ coordinate }} = blanked.{{ coordinate }}
        {%- endfor %}
when matched then update set
    {%- for column in get_event_columns() %}
    {{ column }} = blanked.{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
