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
        {{ blank_forgotten_rows(events_of_messages(events, condition), forgotten) | indent(8) }}
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
