{# Prints the SELECT of the events that fulfil a condition, with epoch, row_order and happened_at. #}
{% macro in_order(events, condition) -%}
select
    *,
    {{ row_order() | trim }} as row_order,
    {{ happened_at() }} as happened_at
from (
    select
        *,
        {{ row_epoch() | trim }} as epoch
    from {{ events }}
    where {{ condition }}
) as events
{%- endmacro %}
