{#
  Prints an expression: a fingerprint of rows of event_batch_stats, text.

  Arguments:
    condition (optional[string]): which rows of the group count; none for all.
#}
{% macro batches_fingerprint(condition=none) -%}
{%- set filter = ' filter (where ' ~ condition ~ ')' if condition is not none else '' -%}
concat_ws(
    '/',
    count(*){{ filter }},
    bit_xor(
        xxhash64(landing_batch, events_version, kafka_topic, topic_incarnation, kafka_partition, source_format)
    ){{ filter }}
)
{%- endmacro %}
