{#
  Prints a SQL condition: a place in a Kafka partition lies at or behind the place that a line of the setting `sequence_resets` names. A topic that
  was made anew goes on in the epoch that its predecessor had reached. incarnation, offset: SQL of the place. Reads kafka_topic and kafka_partition.
#}
{% macro sequence_reset_condition(line, incarnation='topic_incarnation', offset='kafka_offset') -%}
    {%- set first = line.get('topic_incarnation', 0) -%}
    {{ kafka_cdc.same_partition_condition(line) }} and ({{ incarnation }} > {{ first }} or {{ incarnation }} = {{ first }} and {{ offset }} >= {{ line.offset }})
{%- endmacro %}
