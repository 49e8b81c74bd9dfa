{#
  Prints a MERGE: it removes the data of erased rows from events.

  Arguments:
    events (relation): the model events.
    erased (relation): the table erased_rows.
#}
{% macro rewrite_events(events, erased) -%}
merge into {{ events }} as target using (
    {{ kafka_cdc.select_redacted_events(kafka_cdc.events_to_rewrite(events, erased), erased) | indent(4) }}
) as redacted
    on
        {%- for coordinate in kafka_cdc.get_coordinates() %}
        {{ 'and ' if not loop.first }}target.{{ coordinate }} = redacted.{{ coordinate }}
        {%- endfor %}
-- A redacted event loses one of its keys, or its reject code. All others stay as they are.
when matched and not (
    target.row_key <=> redacted.row_key
    and target.previous_row_key <=> redacted.previous_row_key
    and target.reject_code <=> redacted.reject_code
) then update set
    {%- for column in kafka_cdc.get_event_columns() %}
    {{ column }} = redacted.{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
