{#
  Prints a condition on a group of changes: they came through several partitions.

  A recreated topic follows its predecessor as a whole. Partitions of different incarnations of one
  topic therefore count as several only if one incarnation has several.

  Requires: a GROUP BY and the columns `kafka_topic`, `topic_incarnation`, `kafka_partition`.
#}
{% macro spans_partitions_condition() -%}
    (
        count(distinct kafka_topic) > 1
        or count(distinct kafka_topic, topic_incarnation, kafka_partition)
            > count(distinct kafka_topic, topic_incarnation)
    )
{%- endmacro %}
