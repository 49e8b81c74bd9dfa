{# Prints SQL for when a change or statement happened, as far as its message says: at the source, else in the connector, else in Kafka. #}
{% macro happened_at() -%}
    coalesce(occurred_at, emitted_at, kafka_timestamp)
{%- endmacro %}
