{# Prints the MERGE that blanks in events what says a erased row. The arguments are those of rewrite_payloads. #}
{% macro rewrite_events(events, erased) -%}
merge into {{ events }} as held using (
    {{ kafka_cdc.select_redacted_events(kafka_cdc.events_to_rewrite(events, erased), erased) | indent(4) }}
) as blanked
    on
        {%- for coordinate in kafka_cdc.get_coordinates() %}
        {{ 'and ' if not loop.first }}held.{{ coordinate }} = blanked.{{ coordinate }}
        {%- endfor %}
-- what is blanked loses one of its keys
when matched and not (held.row_key <=> blanked.row_key and held.previous_row_key <=> blanked.previous_row_key) then update set
    {%- for column in kafka_cdc.get_event_columns() %}
    {{ column }} = blanked.{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
