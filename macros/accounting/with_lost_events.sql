{#
  Prints the SELECT of the events of landing batches, and beside them the events there of messages that a mapped raw table no longer holds: its
  batches grow, and lose what is old, message by message, where a batch of landing is there or gone as a whole. flattened: that SELECT.
  batches: none for all, of which nothing is lost (get_batches_to_replay).
#}
{% macro with_lost_events(events, flattened, batches) -%}
    {%- if batches is none or not get_raw_columns() -%}
{{ flattened }}
    {%- else -%}
with read_events as (
    {{ flattened | indent(4) }}
)

select *
from read_events
union all
select
    {%- for column in get_event_columns() %}
    processed.{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
from {{ events }} as processed
left anti join {{ get_raw() }} as landed
    on processed.landing_batch = landed.landing_batch and landed.{{ is_in_batches(batches) }} and {{ is_message_of('landed', 'processed') }}
where processed.{{ is_in_batches(batches) }}
    {%- endif -%}
{%- endmacro %}
