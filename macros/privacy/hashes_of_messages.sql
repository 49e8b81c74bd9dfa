{#
  Prints the SELECT of the hashes of the messages to rewrite: those with an event that fulfils the condition or was blanked when it was read, as a
  duplicate is, and the tombstones of the Kafka keys on the list. A payload that says to be rewritten is believed only if its message is on the list.
#}
{% macro hashes_of_messages(events, condition, forgotten) -%}
select {{ message_hash() }} as row_hash
from {{ events }}
where {{ condition }} or event_kind <> 'rejected' and endswith(operation_code, 'forgotten')
union
select {{ message_hash() }} as row_hash
from (
    select
        event.*,
        explode(array({{ key_hash('landed.topic', 'landed.key') }}, {{ key_hash('landed.topic', 'event.row_key') }})) as row_hash
    from {{ events }} as event
    inner join {{ get_raw() }} as landed on {{ is_message_of('landed', 'event') }}
    where event.event_kind = 'tombstone'
) as tombstones
left semi join {{ forgotten }} as known using (row_hash)
{%- endmacro %}
