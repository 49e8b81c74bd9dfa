{#
  Prints a SQL condition: a place in a Kafka partition lies at or behind the place that a line of the setting `epochs` names. A topic that
  was made anew goes on in the epoch that its predecessor had reached. incarnation, offset: SQL of the place. Reads kafka_topic and kafka_partition.
#}
{% macro is_in_epoch(line, incarnation='topic_incarnation', offset='kafka_offset') -%}
    {%- set first = line.get('topic_incarnation', 0) -%}
    {{ _is_partition_of(line) }} and ({{ incarnation }} > {{ first }} or {{ incarnation }} = {{ first }} and {{ offset }} >= {{ line.offset }})
{%- endmacro %}

{# Prints a SQL condition: a Kafka partition is that of a line of the setting `epochs`. #}
{% macro _is_partition_of(line) -%}
    kafka_topic = {{ sql_text(line.topic) | trim }} and kafka_partition = {{ line.partition }}
{%- endmacro %}
