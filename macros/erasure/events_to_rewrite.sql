{# Prints a relation: all events of the messages on the list of erased rows. #}
{% macro events_to_rewrite(events, erased) -%}
(
            select events.*
            from {{ events }} as events
            left semi join {{ erased }} as known on known.row_hash = {{ kafka_cdc.message_hash() }}
        )
{%- endmacro %}
