{#
  Prints the MERGE that rewrites in raw the messages on the list of forgotten rows: what their events say besides, under the same coordinates.
  events: the relation of events. forgotten: the list.
#}
{% macro rewrite_payloads(events, forgotten) -%}
{%- set identity = get_message_coordinates() | join(', ') -%}
merge into {{ source('raw', 'kafka_messages') }} as landed using (
    select
        {{ identity }},
        {{ rewritten_payload() | indent(8) }} as value
    from (
        {{ blank_forgotten_rows(events_to_rewrite(events, forgotten), forgotten) | indent(8) }}
    ) as blanked
    group by {{ identity }}
) as rewritten
    on {{ is_message_of('landed', 'rewritten') }}
when matched and not landed.value <=> rewritten.value then update set value = rewritten.value, key = null, headers = null
{%- endmacro %}
