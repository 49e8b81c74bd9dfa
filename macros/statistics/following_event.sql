{#
  Prints an expression: the kind and time of the next event in the same partition and landing batch.

  It is a struct of event_kind and occurred_at, and null after the last event.

  Requires: the coordinates, `landing_batch`, `event_kind`, `occurred_at`.
#}
{% macro following_event() -%}
    lead(struct(event_kind, occurred_at)) over (
        partition by landing_batch, kafka_topic, topic_incarnation, kafka_partition
        order by kafka_offset, row_index
    )
{%- endmacro %}
