{# Prints an expression: a fingerprint of rows of event_batch_stats, text. #}
{% macro batches_fingerprint() -%}
concat_ws(
    '/',
    count(*),
    bit_xor(
        xxhash64(landing_batch, events_version, kafka_topic, topic_incarnation, kafka_partition, source_format)
    )
)
{%- endmacro %}
