{# Prints a SQL condition: framed messages, with the columns schema_id (its name) and topic, are of a schema of get_schemas. #}
{% macro is_of_schema(schema_id, schema) -%}
    {{ schema_id }} = {{ schema.schema_id }} and topic in ({% for topic in schema.topics %}{{ sql_text(topic) | trim }}{{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}
