{#
  Prints a SELECT: the messages of landing batches as rows of the event contract.

  The SQL has the formats of these messages only.

  Arguments:
    batches (optional[list[integer]]): the landing batches, see get_pending_batches. None: all.
#}
{% macro select_events_of_batches(batches) -%}
    {%- set formats = kafka_cdc.get_pending_formats(batches) -%}
    {{ kafka_cdc.select_flattened_messages(formats.slugs, formats.messages, formats.topics) }}
{%- endmacro %}
