{# Prints SQL for a rewritten payload, from the aggregated rows of a message's events. #}
{% macro rewritten_payload() -%}
    to_json(
        named_struct('kafka_cdc_rewritten', array_sort(
            collect_list(struct({{ kafka_cdc.get_event_columns().keys() | join(', ') }})),
            (one, other) -> one.row_index - other.row_index
        )),
        {{ kafka_cdc.rewritten_json_options() }}
    )
{%- endmacro %}
