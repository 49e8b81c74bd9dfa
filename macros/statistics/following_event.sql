{# Prints SQL for the kind of the event that follows in its partition and landing batch, and when it occurred: a struct, null after the last. #}
{% macro following_event() -%}
    lead(struct(event_kind, occurred_at)) over (
        partition by landing_batch, kafka_topic, topic_incarnation, kafka_partition order by kafka_offset, row_index
    )
{%- endmacro %}
