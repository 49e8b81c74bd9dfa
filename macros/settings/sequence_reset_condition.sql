{#
  Prints a SQL condition: a place in a Kafka partition lies at or behind the place that a line of the setting `sequence_resets` names. A topic that
  was made anew goes on in the epoch that its predecessor had reached. incarnation, offset: SQL of the place. Reads kafka_topic and kafka_partition.
#}
{% macro sequence_reset_condition(line, incarnation='topic_incarnation', offset='kafka_offset') -%}
    {%- set first = line.get('topic_incarnation', 0) -%}
    {{ kafka_cdc._is_partition_of(line) }} and ({{ incarnation }} > {{ first }} or {{ incarnation }} = {{ first }} and {{ offset }} >= {{ line.offset }})
{%- endmacro %}

{# Prints a SQL condition: a Kafka partition is that of a line of the setting `sequence_resets`. #}
{% macro _is_partition_of(line) -%}
    kafka_topic = {{ kafka_cdc.sql_literal(line.topic) | trim }} and kafka_partition = {{ line.partition }}
{%- endmacro %}
