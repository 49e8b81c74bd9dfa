{#
  Prints the SELECT of the events of landing batches, and beside them the events there of messages that a mapped raw table no longer holds: its
  batches grow, and lose what is old, message by message, where a batch of landing is there or gone as a whole. flattened: that SELECT.
  batches: none for all, of which nothing is lost (get_batches_to_replay).
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
    on processed.landing_batch = landed.landing_batch and landed.{{ kafka_cdc.in_batches_condition(batches) }} and {{ kafka_cdc.same_message_condition('landed', 'processed') }}
where processed.{{ kafka_cdc.in_batches_condition(batches) }}
    {%- endif -%}
{%- endmacro %}
