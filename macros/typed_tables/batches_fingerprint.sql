{#
  Prints an expression: a fingerprint of rows of event_batch_stats, text.

  The hash has all columns that tell the rows of a batch apart. Two equal hashes would cancel each
  other, and a rewritten batch would go unnoticed.

  Arguments:
    condition (optional[string]): which rows of the group count; none for all.
#}
{% macro batches_fingerprint(condition=none) -%}
{%- set identity = kafka_cdc.get_table_columns() + [
    'landing_batch', 'events_version', 'kafka_topic', 'topic_incarnation', 'kafka_partition', 'source_format'
] -%}
{%- set filter = ' filter (where ' ~ condition ~ ')' if condition is not none else '' -%}
concat_ws(
    '/',
    count(*){{ filter }},
    bit_xor(xxhash64({{ identity | join(', ') }})){{ filter }}
)
{%- endmacro %}
