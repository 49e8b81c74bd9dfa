{#
  Prints an expression: the hash of the Kafka key of an erased row in the table erased_rows.

  Tombstones of the row are found by it.

  Arguments:
    topic (string): SQL of the topic.
    key (string): SQL of the Kafka key.
#}
{% macro key_hash(topic, key) -%}
    sha2(to_json(struct({{ topic }} as kafka_topic, {{ key }} as kafka_key)), 256)
{%- endmacro %}
