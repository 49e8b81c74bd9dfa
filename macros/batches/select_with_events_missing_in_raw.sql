{#
  Prints a SELECT: the events of landing batches, and those whose messages raw has lost.

  A batch of a raw table of another tool grows, and loses old messages one by one. If such a batch
  is read again, the events of the lost messages are copied from events. A batch of landing exists
  or is deleted as a whole, so nothing is copied.

  Arguments:
    events (relation): the model events.
    flattened (string): SQL of the events of the batches.
    batches (optional[list[integer]]): the landing batches. None: all. Raw has lost nothing of them,
      see get_batches_to_replay.
#}
{% macro select_with_events_missing_in_raw(events, flattened, batches) -%}
    {%- if batches is none or not kafka_cdc.get_raw_column_mapping() -%}
{{ flattened }}
    {%- else -%}
with read_events as (
    {{ flattened | indent(4) }}
)

select *
from read_events
union all
select
    {%- for column in kafka_cdc.get_event_columns() %}
    processed.{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
from {{ events }} as processed
left anti join {{ kafka_cdc.get_raw_relation() }} as landed
    on processed.landing_batch = landed.landing_batch
    and landed.{{ kafka_cdc.in_batches_condition(batches) }}
    and {{ kafka_cdc.same_message_condition('landed', 'processed') }}
where processed.{{ kafka_cdc.in_batches_condition(batches) }}
    {%- endif -%}
{%- endmacro %}
