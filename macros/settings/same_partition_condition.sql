{# Prints a SQL condition: a Kafka partition is that of a line of the setting `sequence_resets`. #}
{% macro same_partition_condition(line) -%}
    kafka_topic = {{ kafka_cdc.sql_literal(line.topic) | trim }} and kafka_partition = {{ line.partition }}
{%- endmacro %}
