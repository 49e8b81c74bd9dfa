{#
  Prints an expression: the reject of a framed value or key, null if it can be read.

  Arguments:
    schema_id (string): the column with the id of the schema.
    text (string): the column with the result of framed_text.
    schemas (list[dict[string, any]]): the schemas, see get_schemas.

  Requires: the columns `topic`, `topic_incarnation`.
#}
{% macro frame_reject(schema_id, text, schemas) -%}
    case
        when {{ schema_id }} is null or {{ text }} is not null then null
        {%- for schema in schemas if schema.read_as is not none or schema.problem is not none %}
        {%- if schema.problem is none -%}
            {%- set code, detail = 'invalid_binary', ' Its schema is ' ~ schema.schema_id ~ '.' -%}
        {%- else -%}
            {%- set code, detail = 'unknown_schema', schema.schema_id ~ ': ' ~ schema.problem -%}
        {%- endif %}
        when {{ kafka_cdc.written_with_schema_condition(schema_id, schema) }}
            then {{ kafka_cdc.reject_struct(code, kafka_cdc.sql_literal(detail)) }}
        {%- endfor %}
        else {{ kafka_cdc.reject_struct('unknown_schema', schema_id) }}
    end
{%- endmacro %}
