{#
  Prints a SELECT: the hashes of the messages to rewrite, as row_hash.

  * Messages with an event that meets the condition.
  * Messages with an event that was redacted when it was read, such as a late duplicate.
  * Tombstones whose Kafka key is in the table erased_rows.

  A payload that claims to be rewritten is trusted only if its message is in the table erased_rows.

  Arguments:
    events (relation): the model events.
    condition (string): SQL of the condition for events of the row.
    erased (relation): the table erased_rows.
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
        explode(array(
            {{ kafka_cdc.key_hash('landed.topic', 'landed.key') }},
            {{ kafka_cdc.key_hash('landed.topic', 'event.row_key') }}
        )) as row_hash
    from {{ events }} as event
    inner join {{ kafka_cdc.get_raw_relation() }} as landed
        on {{ kafka_cdc.same_message_condition('landed', 'event') }}
    where event.event_kind = 'tombstone'
) as tombstones
left semi join {{ erased }} as erased using (row_hash)
{%- endmacro %}
