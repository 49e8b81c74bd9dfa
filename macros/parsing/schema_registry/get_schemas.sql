{#
  Returns the schemas that messages of the landing batches may refer to.

  They come from raw.kafka_messages_schemas, into which landing stores the schema registry's answers.

  Arguments:
    batches (optional[list[integer]]): the landing batches, or none for all of them.

  Returns: a list of dictionaries:
    * schema_id: the id in the schema registry.
    * topics: topic_incarnation to the names of the topics that use the schema.
    * type: AVRO, JSON or PROTOBUF.
    * read_as: the Avro schema, a dictionary or a name. None for other types.
    * connect_schema: the JSON text of Kafka Connect's schema. None if Connect did not write it.
    * problem: why the messages cannot be read. None if they can.
#}
{% macro get_schemas(batches) %}
    {%- set table = source('raw', 'kafka_messages_schemas') -%}
    {%- if not execute or load_relation(table) is none -%}
        {{ return([]) }}
    {%- endif -%}

    {#- The table of an older version lacks topic_incarnation until the next landing. Its schemas are those of 0. -#}
    {%- set has_incarnation = 'topic_incarnation' in adapter.get_columns_in_relation(table) | map(attribute='name') -%}
    {%- set incarnation = 'coalesce(topic_incarnation, 0)' if has_incarnation else '0' -%}

    {%- set query -%}
        select schema_id, schema_type, read_as, connect_schema, problem, {{ incarnation }} as incarnation, topic
        from {{ table }}
        where (topic, {{ incarnation }}) in (
            select topic, topic_incarnation
            from {{ kafka_cdc.get_raw_relation() }}
            {%- if batches is not none %}
            where {{ kafka_cdc.in_batches_condition(batches) }}
            {%- endif %}
        )
        order by all
    {%- endset -%}

    {#- Rows of one schema follow each other: they differ in their topic only. -#}
    {%- set schemas = [] -%}
    {%- for schema_id, type, read_as, connect_schema, problem, incarnation, topic in run_query(query).rows -%}
        {%- set schema = {
            'schema_id': schema_id | int,
            'type': type,
            'read_as': fromjson(read_as) if read_as else none,
            'connect_schema': connect_schema,
            'problem': problem,
        } -%}
        {%- if not schemas or dict(schemas[-1], topics=none) != dict(schema, topics=none) -%}
            {%- do schemas.append(dict(schema, topics={})) -%}
        {%- endif -%}
        {%- do schemas[-1].topics.setdefault(incarnation | int, []).append(topic) -%}
    {%- endfor -%}

    {{ return(schemas) }}
{% endmacro %}
