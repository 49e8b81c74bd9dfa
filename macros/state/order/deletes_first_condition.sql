{#
  Prints a condition: at the position of a change, a row is deleted before it is written again.

  The positions of some formats are those of transactions. A transaction changes a row once, or it
  deletes and writes it. The two may come in any order, for example from two Kafka partitions. The
  entry `deletes_first` of a format has the condition for its changes.

  Example, a row of TiDB whose unique column changes:
    kafka_offset  operation  source_sequence  position in the order
    100           insert     [443852055297]   2: the row exists afterwards
    5000          delete     [443852055297]   1

  Requires: the columns of the model events that name the format, such as `source_format`.
#}
{% macro deletes_first_condition() -%}
    {%- set conditions = kafka_cdc.get_format_conditions('deletes_first') -%}
    {%- if conditions -%}
coalesce(
    {{ conditions | join('\n    or ') }},
    false
)
    {%- else -%}
false
    {%- endif -%}
{%- endmacro %}
