{#
  Prints a SELECT: the messages of landing batches as rows of the event contract.

  The SQL has the formats of these messages only.

  Arguments:
    batches (optional[list[integer]]): the landing batches, see get_pending_batches. None: all.
#}
{% macro select_events_of_batches(batches) -%}
    {%- set messages = kafka_cdc.landed_messages_ctes(batches) -%}
    {%- set formats = kafka_cdc.get_pending_formats(batches, messages) -%}
    {%- if formats.are_mapped -%}
        {%- set messages = kafka_cdc.landed_messages_ctes(batches, formats.slugs) -%}
    {%- endif -%}
    {{ kafka_cdc.select_flattened_messages(formats.slugs, messages, formats.are_mapped) }}
{%- endmacro %}
