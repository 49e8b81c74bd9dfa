{#
  Prints an expression: the position of an event in the order of its table, a struct. The newest type
  and the newest key columns of a table are those with the greatest position.

  Requires: the columns of the model events.
#}
{% macro profile_position() -%}
struct(
    {{ kafka_cdc.sequence_generation() | indent(4) }} as sequence_generation,
    {%- if kafka_cdc.has_table_setting('order_by', ['offset', 'kafka_timestamp']) %}
    if({{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(4) }} = 'sequence', source_sequence, null)
        as source_sequence,
    {%- else %}
    source_sequence,
    {%- endif %}
    topic_incarnation,
    kafka_offset,
    row_index
)
{%- endmacro %}
