{#
  Prints the SELECT of the hashes of a row's Kafka keys: of the messages that say this row alone, and, as a tombstone that deletes names its row, of
  the row_key in each topic of the table. Payloads that are rewritten have no key any more, so it comes before that.
  condition: on the events of the table.
#}
{% macro select_key_hashes(events, condition, row_key) -%}
{%- set identity = kafka_cdc.get_message_coordinates() | join(', ') -%}
select {{ kafka_cdc.key_hash('kafka_topic', row_key) }} as row_hash
from {{ events }}
where {{ condition }}
union
select {{ kafka_cdc.key_hash('landed.topic', 'landed.key') }} as row_hash
from (
    select {{ identity }}
    from {{ kafka_cdc.events_of_messages(events, condition ~ ' and row_key = ' ~ row_key) | indent(4) }} as said
    group by {{ identity }}
    having count(*) = 1
) as event
inner join {{ kafka_cdc.get_raw_relation() }} as landed on {{ kafka_cdc.same_message_condition('landed', 'event') }}
where landed.key is not null
{%- endmacro %}
