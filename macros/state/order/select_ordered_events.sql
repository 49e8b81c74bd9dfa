{#
  Prints a SELECT: the events that match a condition, with their sort key.

  It adds the columns `sequence_generation`, `row_order` and `happened_at`.

  Arguments:
    events (relation): a relation, CTE or subquery with the columns of the model events.
    condition (string): SQL of the condition on an event.
#}
{% macro select_ordered_events(events, condition) -%}
select
    *,
    {{ kafka_cdc.row_order() }} as row_order,
    {{ kafka_cdc.happened_at() }} as happened_at
from (
    select
        *,
        {{ kafka_cdc.sequence_generation() }} as sequence_generation
    from {{ events }}
    where {{ condition }}
) as events
{%- endmacro %}
