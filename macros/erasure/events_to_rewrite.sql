{#
  Prints a relation: all events of the messages whose hashes are in the table erased_rows.

  Arguments:
    events (relation): the model events.
    erased (relation): the table erased_rows.
#}
{% macro events_to_rewrite(events, erased) -%}
(
            select events.*
            from {{ events }} as events
            left semi join {{ erased }} as erased on erased.row_hash = {{ kafka_cdc.message_hash() }}
        )
{%- endmacro %}
