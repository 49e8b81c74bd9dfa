{#
  Prints the MERGE that rewrites in raw the messages on the list of erased rows: what their events say besides, under the same coordinates.
  events: the relation of events. erased: the list.
#}
{% macro rewrite_payloads(events, erased) -%}
{%- set identity = kafka_cdc.get_message_coordinates() | join(', ') -%}
merge into {{ source('raw', 'kafka_messages') }} as landed using (
    select
        {{ identity }},
        {{ kafka_cdc.rewritten_payload() | indent(8) }} as value
    from (
        {{ kafka_cdc.select_redacted_events(kafka_cdc.events_to_rewrite(events, erased), erased) | indent(8) }}
    ) as blanked
    group by {{ identity }}
) as rewritten
    on {{ kafka_cdc.same_message_condition('landed', 'rewritten') }}
when matched and not landed.value <=> rewritten.value then update set value = rewritten.value, key = null, headers = null
{%- endmacro %}
