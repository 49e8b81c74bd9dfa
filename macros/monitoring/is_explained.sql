{#
  Prints a SQL condition: a line of the setting epochs begins between two offsets of a Kafka partition, after the one and at the latest with
  the other. Reads kafka_topic and kafka_partition.
#}
{% macro is_explained(after, until) -%}
    {%- set conditions = [] -%}
    {%- for line in get_epochs() -%}
        {%- do conditions.append('kafka_topic = ' ~ sql_text(line.topic) | trim ~ ' and kafka_partition = ' ~ line.partition
            ~ ' and ' ~ after ~ ' < ' ~ line.offset ~ ' and ' ~ until ~ ' >= ' ~ line.offset) -%}
    {%- endfor -%}
    ({{ conditions | join(' or ') or 'false' }})
{%- endmacro %}
