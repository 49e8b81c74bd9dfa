{#
  Prints the SELECT of the hashes of a row's Kafka keys: of the messages that say this row alone, and, as a tombstone that deletes names its row, of
  the row_key in each topic of the table. Payloads that are rewritten have no key any more, so it comes before that.
  condition: on the events of the table.
#}
{% macro hashes_of_keys(events, condition, row_key) -%}
{%- set identity = get_message_coordinates() | join(', ') -%}
select {{ key_hash('kafka_topic', row_key) }} as row_hash
from {{ events }}
where {{ condition }}
union
select {{ key_hash('landed.topic', 'landed.key') }} as row_hash
from (
    select {{ identity }}
    from {{ events_of_messages(events, condition ~ ' and row_key = ' ~ row_key) | indent(4) }} as said
    group by {{ identity }}
    having count(*) = 1
) as event
inner join {{ get_raw() }} as landed on {{ is_message_of('landed', 'event') }}
where landed.key is not null
{%- endmacro %}
