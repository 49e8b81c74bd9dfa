{#
  Prints a MERGE: it rewrites the payloads of the messages in the table erased_rows.

  A rewritten payload has the message's events without the erased rows. The coordinates stay. Key
  and headers become null, because they may contain the row.

  Arguments:
    events (relation): the model events.
    erased (relation): the table erased_rows.
#}
{% macro rewrite_payloads(events, erased) -%}
{%- set identity = kafka_cdc.get_message_coordinates() | join(', ') -%}
merge into {{ source('raw', 'kafka_messages') }} as landed using (
    select
        {{ identity }},
        {{ kafka_cdc.rewritten_payload() | indent(8) }} as value
    from (
        {{ kafka_cdc.select_redacted_events(kafka_cdc.events_to_rewrite(events, erased), erased) | indent(8) }}
    ) as redacted
    group by {{ identity }}
) as rewritten
    on {{ kafka_cdc.same_message_condition('landed', 'rewritten') }}
when matched and not landed.value <=> rewritten.value
    then update set value = rewritten.value, key = null, headers = null
{%- endmacro %}
