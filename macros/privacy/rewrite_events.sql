{# Prints the MERGE that blanks in events what says a forgotten row. The arguments are those of rewrite_payloads. #}
{% macro rewrite_events(events, condition, forgotten) -%}
merge into {{ events }} as held using (
    {{ blank_forgotten_rows(events_of_messages(events, condition), forgotten) | indent(4) }}
) as blanked
    on
        {%- for coordinate in get_coordinates() %}
        {{ 'and ' if not loop.first }}held.{{ coordinate }} = blanked.{{ coordinate }}
        {%- endfor %}
when matched then update set
    {%- for column in get_event_columns() %}
    {{ column }} = blanked.{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
