{#
  Prints the SELECT of the hashes of the messages to rewrite: those with an event that fulfils the condition or was blanked when it was read, as a
  duplicate is, and the tombstones of the Kafka keys on the list. A payload that says to be rewritten is believed only if its message is on the list.
#}
{% macro select_message_hashes(events, condition, erased) -%}
select {{ kafka_cdc.message_hash() }} as row_hash
from {{ events }}
where {{ condition }} or event_kind <> 'rejected' and endswith(operation_code, 'erased')
union
select {{ kafka_cdc.message_hash() }} as row_hash
from (
    select
        event.*,
        explode(array({{ kafka_cdc.key_hash('landed.topic', 'landed.key') }}, {{ kafka_cdc.key_hash('landed.topic', 'event.row_key') }})) as row_hash
    from {{ events }} as event
    inner join {{ kafka_cdc.get_raw_relation() }} as landed on {{ kafka_cdc.same_message_condition('landed', 'event') }}
    where event.event_kind = 'tombstone'
) as tombstones
left semi join {{ erased }} as known using (row_hash)
{%- endmacro %}
