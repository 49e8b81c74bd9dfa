{# Prints SQL for the hash by which the Kafka key of a erased row is on the list, so that its tombstones are known. topic, key: SQL. #}
{% macro key_hash(topic, key) -%}
    sha2(to_json(struct({{ topic }} as kafka_topic, {{ key }} as kafka_key)), 256)
{%- endmacro %}
