{#
  Prints a condition: the message was written with a schema.

  Arguments:
    schema_id (string): the column with the id of the message's schema.
    schema (dict[string, any]): the schema, an entry of get_schemas.

  Requires: the columns `topic`, `topic_incarnation`.
#}
{% macro written_with_schema_condition(schema_id, schema) -%}
    {%- set conditions = [] -%}
    {%- for incarnation, topics in schema.topics.items() -%}
        {%- set names = [] -%}
        {%- for topic in topics -%}
            {%- do names.append(kafka_cdc.sql_literal(topic)) -%}
        {%- endfor -%}
        {%- set condition = 'topic_incarnation = ' ~ incarnation ~ ' and topic in (' ~ names | join(', ') ~ ')' -%}
        {%- do conditions.append(condition) -%}
    {%- endfor -%}

    {{ schema_id }} = {{ schema.schema_id }} and {{
        conditions[0] if conditions | length == 1 else '(' ~ conditions | join(' or ') ~ ')'
    }}
{%- endmacro %}
