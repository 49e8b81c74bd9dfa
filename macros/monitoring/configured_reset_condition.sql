{#
  Prints a SQL condition: a line of the setting sequence_resets begins between two places in a Kafka partition, after the one and at the latest with
  the other. after, until: SQL of topic incarnation and offset, each a list of two. Reads kafka_topic and kafka_partition.
#}
{% macro configured_reset_condition(after, until) -%}
    {%- set conditions = [] -%}
    {%- for line in kafka_cdc.get_sequence_resets() -%}
        {%- do conditions.append(kafka_cdc.sequence_reset_condition(line, *until) ~ ' and not (' ~ kafka_cdc.sequence_reset_condition(line, *after) ~ ')') -%}
    {%- endfor -%}
    ({{ conditions | join(' or ') or 'false' }})
{%- endmacro %}
