{#
  Prints an expression: the best known time of a change or statement, a timestamp.

  It is the commit time at the source, else the time of the connector, else Kafka's timestamp.
  Times are shown to readers and used by the policy apply_by_time. They never order changes.

  Requires: columns `occurred_at`, `emitted_at`, `kafka_timestamp`.
#}
{% macro happened_at() -%}
    coalesce(occurred_at, emitted_at, kafka_timestamp)
{%- endmacro %}
