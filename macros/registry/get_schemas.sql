{#
  Returns the schemas of a schema registry that messages of the landing batches (none: of all) may name, from raw.kafka_messages_schemas:
  a list of schema_id, topics, type (AVRO, JSON, PROTOBUF), read_as (of Avro: the schema, a mapping or a name), connect_schema (a text, none
  where Kafka Connect did not write it) and problem (why its messages cannot be read, none where they can).
#}
{% macro get_schemas(batches) %}
    {%- set table = source('raw', 'kafka_messages_schemas') -%}
    {%- if not execute or load_relation(table) is none %}{{ return([]) }}{% endif -%}
    {%- set query -%}
        select schema_id, schema_type, read_as, connect_schema, problem, topic
        from {{ table }}
        where topic in (select topic from {{ source('raw', 'kafka_messages') }}{% if batches is not none %} where {{ is_in_batches(batches) }}{% endif %})
        order by all
    {%- endset -%}
    {%- set schemas = [] -%}
    {%- for schema_id, type, read_as, connect_schema, problem, topic in run_query(query).rows -%}
        {%- set schema = {'schema_id': schema_id | int, 'type': type, 'read_as': fromjson(read_as) if read_as else none,
            'connect_schema': connect_schema, 'problem': problem} -%}
        {%- if schemas and dict(schemas[-1], topics=none) == dict(schema, topics=none) -%}
            {%- do schemas[-1].topics.append(topic) -%}
        {%- else -%}
            {%- do schemas.append(dict(schema, topics=[topic])) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(schemas) }}
{% endmacro %}
