{#
  Prints a SQL condition: a line of the setting epochs begins between two places in a Kafka partition, after the one and at the latest with
  the other. after, until: SQL of topic incarnation and offset, each a list of two. Reads kafka_topic and kafka_partition.
#}
{% macro is_explained(after, until) -%}
    {%- set conditions = [] -%}
    {%- for line in get_epochs() -%}
        {%- do conditions.append(is_in_epoch(line, *until) ~ ' and not (' ~ is_in_epoch(line, *after) ~ ')') -%}
    {%- endfor -%}
    ({{ conditions | join(' or ') or 'false' }})
{%- endmacro %}
