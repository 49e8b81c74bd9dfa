{#
  Prints an expression: a rewritten payload, as an aggregate over a message's events.

  Requires: the columns of get_event_columns, grouped by message.
#}
{% macro rewritten_payload() -%}
    to_json(
        named_struct('kafka_cdc_rewritten', array_sort(
            collect_list(struct({{ kafka_cdc.get_event_columns().keys() | join(', ') }})),
            (one, other) -> one.row_index - other.row_index
        )),
        {{ kafka_cdc.rewritten_json_options() | indent(8) }}
    )
{%- endmacro %}
