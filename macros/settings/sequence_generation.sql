{#
  Prints an expression: the sequence generation of a message, which orders before its sequence.

  The generation is the number of lines of the setting `sequence_resets` that the message's
  partition has reached. At each such line the vendor's sequence starts again. All changes of a
  generation come after all changes of the generation before.

  Arguments:
    incarnation (string): SQL of the topic incarnation of the message.
    offset (string): SQL of its offset.

  Requires: the columns `kafka_topic`, `kafka_partition`.
#}
{% macro sequence_generation(incarnation='topic_incarnation', offset='kafka_offset') -%}
    {%- for line in kafka_cdc.get_sequence_resets() %}
    if({{ kafka_cdc.sequence_reset_condition(line, incarnation, offset) }}, 1, 0)
        {{- ' +' if not loop.last }}
    {%- else -%}
    0
    {%- endfor -%}
{%- endmacro %}
