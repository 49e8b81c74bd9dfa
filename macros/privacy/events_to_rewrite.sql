{# Prints a relation: all events of the messages on the list of forgotten rows. #}
{% macro events_to_rewrite(events, forgotten) -%}
(
            select events.*
            from {{ events }} as events
            left semi join {{ forgotten }} as known on known.row_hash = {{ message_hash() }}
        )
{%- endmacro %}
