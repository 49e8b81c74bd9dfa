{#
  Prints a SELECT: the hashes of the Kafka keys of rows of one table, as row_hash.

  * The row_key in each topic of the table, because a tombstone that deletes a row names it so.
  * The Kafka keys of messages that contain only one of these rows.

  It must run before the payloads are rewritten, because rewritten messages have no key.

  Arguments:
    events (relation): the model events.
    condition (string): SQL of the condition for events of the table.
    row_keys (list[string]): the keys of the rows.
#}
{% macro select_key_hashes(events, condition, row_keys) -%}
{%- set identity = kafka_cdc.get_message_coordinates() | join(', ') -%}
{%- set of_row = condition ~ ' and ' ~ kafka_cdc.in_values_condition('row_key', row_keys) -%}
select {{ kafka_cdc.key_hash('kafka_topic', 'row_key') }} as row_hash
from (
    select distinct kafka_topic
    from {{ events }}
    where {{ condition }}
) as topics
lateral view explode({{ kafka_cdc.sql_literal(row_keys) }}) keys as row_key
union
select {{ kafka_cdc.key_hash('landed.topic', 'landed.key') }} as row_hash
from (
    select {{ identity }}
    from {{ kafka_cdc.events_of_messages(events, of_row) | indent(4) }} as message_events
    group by {{ identity }}
    having count(*) = 1
) as event
inner join {{ kafka_cdc.get_raw_relation() }} as landed
    on {{ kafka_cdc.same_message_condition('landed', 'event') }}
where landed.key is not null
{%- endmacro %}
