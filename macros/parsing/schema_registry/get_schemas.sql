{#
  Returns the schemas of a schema registry that messages of the landing batches (none: of all) may name, from raw.kafka_messages_schemas:
  a list of schema_id, topics (topic_incarnation → names), type (AVRO, JSON, PROTOBUF), read_as (of Avro: the schema, a mapping or a name),
  connect_schema (a text, none where Kafka Connect did not write it) and problem (why its messages cannot be read, none where they can).
#}
{% macro get_schemas(batches) %}
    {%- set table = source('raw', 'kafka_messages_schemas') -%}
    {%- if not execute or load_relation(table) is none %}{{ return([]) }}{% endif -%}
    {#- Before an older version's table has its topic_incarnation, from the next landing, its schemas are those of 0. -#}
    {%- set has_incarnation = 'topic_incarnation' in adapter.get_columns_in_relation(table) | map(attribute='name') -%}
    {%- set incarnation = 'coalesce(topic_incarnation, 0)' if has_incarnation else '0' -%}
    {%- set query -%}
        select schema_id, schema_type, read_as, connect_schema, problem, {{ incarnation }} as incarnation, topic
        from {{ table }}
        where (topic, {{ incarnation }}) in (select topic, topic_incarnation from {{ kafka_cdc.get_raw_relation() }}{% if batches is not none %} where {{ kafka_cdc.in_batches_condition(batches) }}{% endif %})
        order by all
    {%- endset -%}
    {%- set schemas = [] -%}
    {%- for schema_id, type, read_as, connect_schema, problem, incarnation, topic in run_query(query).rows -%}
        {%- set schema = {'schema_id': schema_id | int, 'type': type, 'read_as': fromjson(read_as) if read_as else none,
            'connect_schema': connect_schema, 'problem': problem} -%}
        {%- if not schemas or dict(schemas[-1], topics=none) != dict(schema, topics=none) -%}
            {%- do schemas.append(dict(schema, topics={})) -%}
        {%- endif -%}
        {%- do schemas[-1].topics.setdefault(incarnation | int, []).append(topic) -%}
    {%- endfor -%}
    {{ return(schemas) }}
{% endmacro %}
