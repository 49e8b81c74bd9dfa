{# Prints the SELECT of the events that fulfil a condition, with epoch, row_order and happened_at. #}
{% macro select_ordered_events(events, condition) -%}
select
    *,
    {{ kafka_cdc.row_order() | trim }} as row_order,
    {{ kafka_cdc.happened_at() }} as happened_at
from (
    select
        *,
        {{ kafka_cdc.sequence_generation() | trim }} as sequence_generation
    from {{ events }}
    where {{ condition }}
) as events
{%- endmacro %}
