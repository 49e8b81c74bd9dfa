{#
  Prints the SELECT of the events of landing batches, and beside them the events there of messages that a mapped raw table no longer holds: its
  batches grow, and lose what is old, message by message, where a batch of landing is there or gone as a whole. flattened: that SELECT.
#}
{% macro with_lost_events(events, flattened, batches) -%}
    {%- set lost = get_batches_with_losses(events, batches) if execute and batches and get_raw_columns() else {} -%}
    {%- if not lost -%}
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
    on landed.{{ is_in_batches(lost.keys() | list) }} and {{ is_message_of('landed', 'processed') }}
where processed.{{ is_in_batches(lost.keys() | list) }}
    {%- endif -%}
{%- endmacro %}
