{# Prints a SQL condition: framed messages, with the columns schema_id (its name), topic and topic_incarnation, are of a schema of get_schemas. #}
{% macro written_with_schema_condition(schema_id, schema) -%}
    {%- set places = [] -%}
    {%- for incarnation, topics in schema.topics.items() -%}
        {%- set names = [] -%}
        {%- for topic in topics %}{% do names.append(kafka_cdc.sql_literal(topic) | trim) %}{% endfor -%}
        {%- do places.append('topic_incarnation = ' ~ incarnation ~ ' and topic in (' ~ names | join(', ') ~ ')') -%}
    {%- endfor -%}
    {{ schema_id }} = {{ schema.schema_id }} and {{ places[0] if places | length == 1 else '(' ~ places | join(' or ') ~ ')' }}
{%- endmacro %}
