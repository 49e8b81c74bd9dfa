{#
  Prints a condition on a group of changes: they came through several partitions. A topic made anew comes after its predecessor as a whole,
  so that partitions of different incarnations are no spread.
#}
{% macro spans_partitions_condition() -%}
    (
        count(distinct kafka_topic) > 1
        or count(distinct kafka_topic, topic_incarnation, kafka_partition) > count(distinct kafka_topic, topic_incarnation)
    )
{%- endmacro %}
