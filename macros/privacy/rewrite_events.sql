{# Prints the MERGE that blanks in events what says a forgotten row. The arguments are those of rewrite_payloads. #}
{% macro rewrite_events(events, forgotten) -%}
merge into {{ events }} as held using (
    {{ blank_forgotten_rows(events_to_rewrite(events, forgotten), forgotten) | indent(4) }}
) as blanked
    on
        {%- for coordinate in get_coordinates() %}
        {{ 'and ' if not loop.first }}held.{{ coordinate }} = blanked.{{ coordinate }}
        {%- endfor %}
-- what is blanked loses one of its keys
when matched and not (held.row_key <=> blanked.row_key and held.previous_row_key <=> blanked.previous_row_key) then update set
    {%- for column in get_event_columns() %}
    {{ column }} = blanked.{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
