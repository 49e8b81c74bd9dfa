{#
  Prints an expression: the events in a rewritten payload, an array of the event contract.

  Requires: the column `value`.
#}
{% macro read_rewritten_payload() -%}
    {%- set columns = [] -%}
    {%- for name, type in kafka_cdc.get_event_columns().items() -%}
        {%- do columns.append(name ~ ': ' ~ type) -%}
    {%- endfor -%}

    from_json(
        value,
        'kafka_cdc_rewritten array<struct<{{ columns | join(', ') }}>>',
        {{ kafka_cdc.rewritten_json_options() }}
    ).kafka_cdc_rewritten
{%- endmacro %}
